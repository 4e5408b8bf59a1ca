package io.skein;

import io.skein.ThreadKind.Running;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An awaiter that does what a test tells it, and keeps what was asked of it, in order. */
class ScriptedAwaiter implements Awaiter<String> {
    final List<String> calls = new CopyOnWriteArrayList<>();

    /** The threads of the calls. */
    final List<Thread> callers = new CopyOnWriteArrayList<>();

    private volatile @Nullable Resumer resumer;

    private void called(String what) {
        calls.add(what);
        callers.add(Thread.currentThread());
    }

    @Override
    public boolean ready() {
        called("ready");
        return false;
    }

    @Override
    public final boolean suspend(Resumer given) {
        called("suspend");
        resumer = given;
        return suspended(given);
    }

    /** What {@link #suspend} does besides. */
    boolean suspended(Resumer given) {
        return true;
    }

    @Override
    public String resume() throws InterruptedException {
        called("resume");
        return "resumed";
    }

    @Override
    public final boolean cancel() {
        called("cancel");
        return withdrawn();
    }

    /** What {@link #cancel} answers. */
    boolean withdrawn() {
        return true;
    }

    /** The newest resumer. */
    Resumer resumer() {
        return Objects.requireNonNull(resumer, "not suspended yet");
    }

    /** Returns once somebody is suspended here and its thread waits. */
    void awaitSuspended(Running<?> running) {
        Await.until("suspended", () -> resumer != null);
        running.awaitWaiting();
    }
}
