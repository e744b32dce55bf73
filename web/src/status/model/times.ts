const hourMs = 3_600_000;
const lifetimeHours = 24;

/** Returns the remaining time (spec section 4). Started hours count in full (decision 24). */
export function toTimeLeft(expiresAt: string, now: number): { unit: 'expired' | 'hours' | 'day'; count: number } {
  const hours = Math.ceil((Date.parse(expiresAt) - now) / hourMs);
  if (hours <= 0) return { unit: 'expired', count: 0 };
  return { unit: hours < lifetimeHours ? 'hours' : 'day', count: hours };
}
