/** A process of the service that serves, or leads those that do. */
export interface Running {
  /** Finishes what was accepted. */
  stop(): Promise<void>;
  /**
   * Reads the certificate again: in this process, or by replacing its workers.
   * @throws AppError `invalid` or `unavailable` when that cannot be done; the service goes on as before then.
   */
  reload(): Promise<void>;
}
