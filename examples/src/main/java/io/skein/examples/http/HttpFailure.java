package io.skein.examples.http;

import java.io.IOException;

/** A request that cannot be served, and the status that says so. The connection ends with it. */
public final class HttpFailure extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    public HttpFailure(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
