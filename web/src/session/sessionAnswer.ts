/** A server that hangs is as good as none. */
const answerTimeoutMs = 15_000;

const ask = (): Promise<Response> =>
  fetch('/api/auth/user', { credentials: 'include', signal: AbortSignal.timeout(answerTimeoutMs) });

let early: Promise<Response> | undefined;

/**
 * Asks who is signed in before the app itself is asked for: behind its files, of which a browser fetches a few at a time,
 * the answer came half a second later, and everything waits for it.
 */
export function askEarly(): void {
  early = ask();
  // Whoever takes it hears of it.
  early.catch(() => {});
}

/** The server's answer to who is signed in: that of the early question to whoever comes first, and new ones then. */
export function sessionAnswer(): Promise<Response> {
  const answer = early ?? ask();
  early = undefined;
  return answer;
}
