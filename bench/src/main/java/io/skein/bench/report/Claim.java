package io.skein.bench.report;

/**
 * That one contender compares with another in one case of a suite as is wanted.
 *
 * @param subject the case's name
 */
public record Claim(String subject, String contender, String rival, Wanted wanted) {}
