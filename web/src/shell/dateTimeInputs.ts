const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a moment as values for native inputs, which use the browser's time zone. */
export function toDateTimeInputs(at: Date): { date: string; time: string } {
  return {
    date: `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  };
}

/** Returns the next full hour as values for native inputs. */
export function toNextHourInputs(now: Date): { date: string; time: string } {
  const next = new Date(now);
  next.setHours(now.getHours() + 1, 0, 0, 0);
  return toDateTimeInputs(next);
}
