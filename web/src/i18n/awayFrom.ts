const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "in 5 minutes", "2 days ago"; null for what is less than a minute away. */
export function awayFrom(at: number, now: number, locale: string): string | null {
  const distance = at - now;
  const unit = units.find(([, length]) => Math.abs(distance) >= length);
  if (!unit) return null;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(distance / unit[1]), unit[0]);
}
