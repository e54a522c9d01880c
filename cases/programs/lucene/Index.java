// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.IOException;
import java.nio.file.Paths;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * A program for preset programs: makes an index of made-up texts, removes some, and searches.
 * Its output is always the same.
 *
 * <p>Arguments: documents, searches, the index's directory.
 */
public final class Index {
    private static final String[] SYLLABLES = {
        "ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "an", "er", "in", "or", "un", "str"};

    private Index() {
    }

    /** A few of the words are frequent, as in real texts. */
    private static String word(Random random) {
        int rank = (int) Math.min(20000, Math.exp(random.nextDouble() * 10));
        StringBuilder text = new StringBuilder();
        do {
            text.append(SYLLABLES[rank & 15]);
            rank >>>= 4;
        } while (rank != 0);
        return text.toString();
    }

    private static String text(Random random, int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) text.append(word(random)).append(i % 12 == 11 ? ". " : " ");
        return text.toString();
    }

    private static void write(Directory directory, int documents) throws IOException {
        Random random = new Random(7);
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(500);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < documents; i++) {
                Document document = new Document();
                document.add(new StringField("number", Integer.toString(i), Field.Store.YES));
                document.add(new TextField("title", text(random, 6), Field.Store.YES));
                document.add(new TextField("body", text(random, 50 + random.nextInt(200)), Field.Store.NO));
                document.add(new IntPoint("size", random.nextInt(1000)));
                writer.addDocument(document);
                if (i % 50 == 49) writer.deleteDocuments(new Term("number", Integer.toString(i - 20)));
            }
            writer.forceMerge(1);
        }
    }

    private static Query query(Random random) {
        String word = word(random);
        switch (random.nextInt(6)) {
            case 0:
                return new TermQuery(new Term("body", word));
            case 1:
                return new PhraseQuery("body", word, word(random));
            case 2:
                return new FuzzyQuery(new Term("title", word));
            case 3:
                return new WildcardQuery(new Term("title", word.substring(0, 1) + "*" + word.substring(1)));
            case 4:
                return new PrefixQuery(new Term("body", word));
            default:
                return new BooleanQuery.Builder().add(new TermQuery(new Term("body", word)), BooleanClause.Occur.MUST)
                    .add(IntPoint.newRangeQuery("size", 100, 100 + random.nextInt(800)), BooleanClause.Occur.MUST)
                    .add(new TermQuery(new Term("title", word(random))), BooleanClause.Occur.SHOULD).build();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (Directory directory = FSDirectory.open(Paths.get(arguments[2]))) {
            write(directory, Integer.parseInt(arguments[0]));
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                Random random = new Random(11);
                long hits = 0;
                for (int i = 0; i < Integer.parseInt(arguments[1]); i++) hits += searcher.count(query(random));
                System.out.println(reader.numDocs() + " documents, " + hits + " hits");
                Query last = query(random);
                System.out.println(last + ": " + searcher.search(last, 5).scoreDocs.length);
            }
        }
    }
}
