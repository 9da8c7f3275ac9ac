/** A running service: a single process, or a primary with its workers. */
export interface Running {
  /** Finishes accepted requests and stops. */
  stop(): Promise<void>;
  /**
   * Reads the certificate again, in this process or by replacing its workers.
   * @throws AppError `invalid` or `unavailable` if that fails; the service then keeps running as before
   */
  reload(): Promise<void>;
}
