const hourMs = 3_600_000;
const lifetimeHours = 24;

/** How long ago, in the labels of spec section 9: just now under an hour, then hours, then days. */
export function sinceWords(createdAt: string, now: number): { unit: 'now' | 'hours' | 'days'; count: number } {
  const hours = Math.floor((now - Date.parse(createdAt)) / hourMs);
  if (hours < 1) return { unit: 'now', count: 0 };
  return hours < lifetimeHours ? { unit: 'hours', count: hours } : { unit: 'days', count: Math.floor(hours / 24) };
}

/** What is left of it (spec section 4); hours that have begun count (decision 24). */
export function leftWords(expiresAt: string, now: number): { unit: 'expired' | 'hours' | 'day'; count: number } {
  const hours = Math.ceil((Date.parse(expiresAt) - now) / hourMs);
  if (hours <= 0) return { unit: 'expired', count: 0 };
  return { unit: hours < lifetimeHours ? 'hours' : 'day', count: hours };
}
