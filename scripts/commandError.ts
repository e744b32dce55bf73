/**
 * Problem that stops a command and that a person can fix. Its message is one clear sentence, printed without a stack.
 */
export class CommandError extends Error {
  override name = 'Refusal';
}

/** Returns the message to show for anything thrown: that of a refusal, or the details of an unexpected error. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
