/**
 * Something that stops a command and that a person can do something about.
 * Its message is one clear sentence; it is printed without a stack.
 */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** The sentence to show for anything thrown: a refusal's own, or what is known of the surprise. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
