/** The log for errors. */
export interface ErrorLog {
  error(details: object, message: string): void;
}
