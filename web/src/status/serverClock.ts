/** How much further the server's clock is than this device's, in milliseconds; it decides when a status update is over. */
let aheadMs = 0;

/** Below this a difference is how long the answer took, and how coarse the header is. */
const toleranceMs = 2_000;

/** Reads the clock from an answer's Date header (RFC 9110 section 6.6.1). */
export function readServerClock(response: Response): void {
  const told = Date.parse(response.headers.get('Date') ?? '');
  if (Number.isNaN(told)) return;
  const ahead = told - Date.now();
  aheadMs = Math.abs(ahead) > toleranceMs ? ahead : 0;
}

/** Milliseconds since the epoch, by the server's clock. */
export const serverNow = (): number => Date.now() + aheadMs;
