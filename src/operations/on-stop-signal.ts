const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `cleanUp` before a signal ends the process. Returns a function that removes the signal handlers. */
export function onStopSignal(cleanUp: () => void): () => void {
  const stop = (signal: NodeJS.Signals) => {
    cleanUp();
    end();
    process.kill(process.pid, signal);
  };
  const end = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return end;
}
