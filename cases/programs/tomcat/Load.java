// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.CRC32;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * A program for preset programs: Tomcat on 127.0.0.1, on a port that the system chooses, and its clients in the
 * same JVM. It ends after so many requests of each client. Its output is always the same.
 *
 * <p>Arguments: requests of each client, a directory for Tomcat's own files.
 */
public final class Load {
    private static final int CLIENTS = 4;

    private Load() {
    }

    /** Answers with words of the request, counted and sorted; the session remembers earlier words. */
    static final class Words extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            TreeMap<String, Integer> words = new TreeMap<>();
            int seed = Integer.parseInt(request.getParameter("seed"));
            for (int i = 0; i < 200; i++) {
                seed = seed * 1103515245 + 12345;
                words.merge("w" + (seed >>> 16) % 50, 1, Integer::sum);
            }
            Integer before = (Integer) request.getSession().getAttribute("seen");
            int seen = before == null ? 1 : before + 1;
            request.getSession().setAttribute("seen", seen);
            response.setContentType("text/plain");
            response.setCharacterEncoding("UTF-8");
            if (seed % 97 == 0) throw new ServletException("as asked");
            words.forEach((word, count) -> append(response, word + ' ' + count + '\n'));
            append(response, "seen " + seen + '\n');
        }

        private static void append(HttpServletResponse response, String line) {
            try {
                response.getWriter().write(line);
            } catch (IOException problem) {
                throw new IllegalStateException(problem);
            }
        }
    }

    /** One client. Returns its answers as a sum that does not depend on other clients. */
    private static long ask(String place, int client, int requests) throws IOException {
        CRC32 sum = new CRC32();
        String cookie = null;
        for (int i = 0; i < requests; i++) {
            URL url = new URL(place + "?seed=" + (client * 1000003 + i));
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            connection.setReadTimeout(60000);
            if (cookie != null) connection.setRequestProperty("Cookie", cookie);
            int status = connection.getResponseCode();
            if (cookie == null && connection.getHeaderField("Set-Cookie") != null)
                cookie = connection.getHeaderField("Set-Cookie").split(";")[0];
            sum.update(status);
            if (status == 200) sum.update(read(connection.getInputStream()));
            else read(connection.getErrorStream());
        }
        return sum.getValue();
    }

    private static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int length; (length = in.read(buffer)) > 0;) bytes.write(buffer, 0, length);
        in.close();
        return bytes.toByteArray();
    }

    public static void main(String[] arguments) throws Exception {
        int requests = Integer.parseInt(arguments[0]);
        Logger.getLogger("").setLevel(Level.OFF);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setHostname("localhost");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "words", new Words());
        context.addServletMappingDecoded("/words", "words");
        tomcat.start();
        String place = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/words";
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<Long>> sums = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            Callable<Long> work = () -> ask(place, client, requests);
            sums.add(clients.submit(work));
        }
        for (Future<Long> sum : sums) System.out.println(requests + " answers, sum " + sum.get());
        clients.shutdown();
        tomcat.stop();
        tomcat.destroy();
    }
}
