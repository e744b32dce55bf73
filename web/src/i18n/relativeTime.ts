const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "5 minutes ago", "yesterday"; null for what was less than a minute ago. */
export function relativeTime(then: number, now: number, language: string): string | null {
  const passed = Math.max(0, now - then);
  const step = steps.find(([, length]) => passed >= length);
  if (!step) return null;
  const [unit, length] = step;
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(passed / length), unit);
}
