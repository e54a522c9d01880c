// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import plumblinecase.Case;

/**
 * Method: each kind of stub is used apart, by the property `kind`: `crc32`, `crc32c`, `adler`, the
 * digests `md5`, `sha1`, `sha256`, `sha512` and `sha3`, `aes` (alone, chained, counting), `base64`,
 * `bigint` (products and squares) and `montgomery` (odd powers). Each works on 16 bytes or some
 * hundreds, and on some thousands. The results are compared with those of a loop, with those of
 * their parts, or by a law of arithmetic; in these comparisons walks are not refused.
 *
 * <p>Expected: no mismatch in the stubs, and refusals with -5 for nearly all samples there (hazard
 * A3). Which stubs exist depends on the release and the CPU.
 */
public final class CodeStubs extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int LENGTH = 4096;
    private static final int FEW = 64;
    private static final int BLOCK = 16;
    private static final int AGAIN = 4;

    private final byte[] data = new byte[LENGTH];
    private final MessageDigest digest = digestOf(KIND);
    private final Cipher[] encrypt = new Cipher[AES.length], decrypt = new Cipher[AES.length];
    private final SecretKeySpec key = new SecretKeySpec(new byte[BLOCK], "AES");
    private final IvParameterSpec start = new IvParameterSpec(new byte[BLOCK]);

    private static final String[] AES = {"AES/ECB/NoPadding", "AES/CBC/NoPadding",
                                         "AES/CTR/NoPadding"};

    public static void main(String[] args) {
        Case.run(CodeStubs::new);
    }

    private CodeStubs() {
        try {
            for (int i = 0; i < AES.length && KIND.equals("aes"); i++) {
                encrypt[i] = Cipher.getInstance(AES[i]);
                decrypt[i] = Cipher.getInstance(AES[i]);
            }
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    protected void unit() throws Exception {
        for (int i = 0; i < FEW; i++) put(below(LENGTH), (byte)next());
        one(between(BLOCK, FEW));
        one(between(FEW, LENGTH));
        ordinary(between(4, 9));
    }

    private void put(int at, byte value) {
        data[at] = value;
    }

    private void one(int length) throws Exception {
        switch (KIND) {
        case "crc32": sums(new CRC32(), new CRC32(), length, 0xEDB88320); break;
        case "crc32c": sums(Crc32c.open(), Crc32c.open(), length, 0x82F63B78); break;
        case "adler": adler(length); break;
        case "aes": aes(below(AES.length), length / 4 / BLOCK * BLOCK + BLOCK); break;
        case "base64": base64(length); break;
        case "bigint": products(length / 8); break;
        case "montgomery": powers(length / 32); break;
        default: digests(length / 2); break;
        }
    }

    // ---- Where walks are not refused: a tree of calls, counted

    private static int ordinary(int depth) {
        int leaves = leaves(depth);
        equal(1 << depth, leaves, "leaves of a tree of calls");
        return leaves;
    }

    private static int leaves(int depth) {
        return depth == 0 ? 1 : leaves(depth - 1) + leaves(depth - 1);
    }

    // ---- Checksums: the whole, the parts, and a loop

    /** Made by reflection: the class exists since JDK 9. */
    private static final class Crc32c {
        static Checksum open() throws ReflectiveOperationException {
            return (Checksum)Class.forName("java.util.zip.CRC32C")
                .getDeclaredConstructor()
                .newInstance();
        }
    }

    private static long sumOf(Checksum sum, byte[] data, int middle, int length) {
        sum.reset();
        sum.update(data, 0, middle);
        sum.update(data, middle, length - middle);
        return sum.getValue();
    }

    private int byLoop(int length, int polynomial) {
        int sum = -1;
        for (int i = 0; i < length; i++) sum = shifted(sum ^ data[i] & 0xff, polynomial);
        return ~sum;
    }

    private static int shifted(int sum, int polynomial) {
        int shifted = sum;
        for (int i = 0; i < 8; i++) shifted = shifted >>> 1 ^ (-(shifted & 1) & polynomial);
        return shifted;
    }

    private void sums(Checksum whole, Checksum parts, int length, int polynomial) {
        int few = Math.min(length, FEW);
        equal(byLoop(few, polynomial) & 0xffffffffL, sumOf(whole, data, few / 2, few), "by a loop");
        long sum = sumOf(whole, data, 0, length);
        for (int i = 1; i < FEW; i++) {
            equal(sum, sumOf(parts, data, length * i / FEW, length), "checksum of parts");
        }
    }

    private void adler(int length) {
        int low = 1, high = 0;
        for (int i = 0; i < length; i++) {
            low = (low + (data[i] & 0xff)) % 65521;
            high = (high + low) % 65521;
        }
        Adler32 adler = new Adler32();
        for (int i = 0; i < FEW; i++) {
            equal((high & 0xffffL) << 16 | low, sumOf(adler, data, length * i / FEW, length),
                  "adler of parts");
        }
    }

    // ---- Digests

    private static MessageDigest digestOf(String kind) {
        try {
            switch (kind) {
            case "md5": return MessageDigest.getInstance("MD5");
            case "sha1": return MessageDigest.getInstance("SHA-1");
            case "sha256": return MessageDigest.getInstance("SHA-256");
            case "sha512": return MessageDigest.getInstance("SHA-512");
            case "sha3": return MessageDigest.getInstance("SHA3-256");
            default: return null;
            }
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private byte[] digestOf(int middle, int length) {
        digest.update(data, 0, middle);
        digest.update(data, middle, length - middle);
        return digest.digest();
    }

    private void digests(int length) {
        check(digest != null, "no such kind: " + KIND);
        byte[] whole = digestOf(0, length);
        check(Arrays.equals(whole, digestOf(length / 3, length)), "digest of parts");
        int at = below(length);
        put(at, (byte)(data[at] + 1));
        check(!Arrays.equals(whole, digestOf(length / 2, length)), "digest of other bytes");
    }

    // ---- AES: what is encrypted can be decrypted, and is not what it was

    private void prepare(Cipher cipher, int mode, int kind) throws GeneralSecurityException {
        if (kind == 0) cipher.init(mode, key);
        else cipher.init(mode, key, start);
    }

    private static byte[] run(Cipher cipher, byte[] bytes, int length)
        throws GeneralSecurityException {
        return cipher.doFinal(bytes, 0, length);
    }

    private void aes(int kind, int length) throws GeneralSecurityException {
        prepare(encrypt[kind], Cipher.ENCRYPT_MODE, kind);
        byte[] secret = run(encrypt[kind], data, length);
        for (int i = 0; i < AGAIN; i++)
            check(Arrays.equals(secret, run(encrypt[kind], data, length)), "encrypted again");
        equal(length, secret.length, "bytes encrypted");
        check(!startsWith(secret, data), "encrypted");
        prepare(decrypt[kind], Cipher.DECRYPT_MODE, kind);
        for (int i = 0; i < AGAIN; i++)
            check(startsWith(data, run(decrypt[kind], secret, length)), "decrypted");
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        for (int i = 0; i < start.length && i < bytes.length; i++) {
            if (bytes[i] != start[i]) return false;
        }
        return true;
    }

    // ---- Base64

    private static final String DIGITS =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private void base64(int length) {
        byte[] part = Arrays.copyOf(data, length);
        byte[] coded = null, plain = null;
        for (int i = 0; i < 4; i++) {
            coded = Base64.getEncoder().encode(part);
            plain = Base64.getDecoder().decode(coded);
        }
        equal((length + 2) / 3 * 4, coded.length, "length in base 64");
        for (int bit = 0; bit + 24 <= 8 * length; bit += 24) {
            equal(DIGITS.charAt((part[bit / 8] & 0xff) >>> 2), coded[bit / 6], "a digit");
        }
        check(Arrays.equals(part, plain), "decoded");
    }

    // ---- Large numbers

    private BigInteger number(int bytes) {
        return new BigInteger(1, Arrays.copyOf(data, Math.max(bytes, 4))).setBit(0);
    }

    /** (a + b)(a + b) = aa + 2ab + bb, with squares and products of 8 to 512 bytes. */
    private void products(int bytes) {
        BigInteger a = number(bytes), b = number(bytes / 2 + 4).add(a.shiftRight(3));
        for (int i = 0; i < 4; i++) {
            BigInteger sum = a.add(b), twice = a.shiftLeft(1);
            BigInteger parts = a.multiply(a).add(twice.multiply(b)).add(b.multiply(b));
            check(sum.multiply(sum).equals(parts), "the square of a sum");
            b = b.add(BigInteger.ONE);
        }
    }

    /** Computes the power by Montgomery's products, and by plain ones. */
    private void powers(int bytes) {
        BigInteger modulus = number(bytes).setBit(8 * bytes + 33), base = modulus.shiftRight(1);
        int exponent = between(2, 5) | 1;
        BigInteger expected = BigInteger.ONE;
        for (int i = 0; i < exponent; i++) expected = expected.multiply(base).mod(modulus);
        check(base.modPow(BigInteger.valueOf(exponent), modulus).equals(expected), "a power");
        BigInteger large = BigInteger.valueOf(between(1 << 20, 1 << 24) | 1);
        check(base.modPow(large, modulus)
                  .equals(
                      base.modPow(large.shiftRight(1), modulus).pow(2).multiply(base).mod(modulus)),
              "a power of halves");
    }
}
