package io.github.jsonrow;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Adds the results as TAP, without a plan, to target/tests.tap, whoever runs the tests. */
public class TapListener implements TestExecutionListener {
    private final List<String> lines = new ArrayList<>();
    private TestPlan plan;

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        lines.add("ok - " + name(test) + " # SKIP " + reason);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            executionSkipped(test, result.getThrowable().map(Throwable::getMessage).orElse(""));
            return;
        }
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (!test.isTest() && passed) return;
        lines.add((passed ? "ok - " : "not ok - ") + name(test));
        result.getThrowable().ifPresent(error -> {
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().limit(30).forEach(line -> lines.add("# " + line));
        });
    }

    private String name(TestIdentifier test) {
        String parent = plan.getParent(test).map(TestIdentifier::getDisplayName).orElse("");
        return (parent.replace("Test", "") + ", " + System.getProperty("jackson") + ": "
            + test.getDisplayName().replaceFirst("\\(.*\\)$", "")).replace('#', '.');
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        try {
            Files.createDirectories(Path.of("target"));
            Files.write(Path.of("target", "tests.tap"), lines, StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
