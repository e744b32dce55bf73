const width = 160;
const height = 32;

/**
 * Returns the points of a line through all values, the newest at the right edge; `least` is the minimum height of the
 * scale.
 */
export function sparklinePoints(values: readonly number[], least: number): string {
  const max = Math.max(least, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, index) => {
      const x = values.length > 1 ? index * step : width;
      const y = height - 1 - (Math.max(0, value) / max) * (height - 2);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

export function Sparkline({ values, least, label }: { values: readonly number[]; least: number; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-8 min-w-0 flex-1 overflow-visible text-accent"
    >
      <line x1="0" y1={height - 1} x2={width} y2={height - 1} className="stroke-line" strokeWidth="1" />
      <polyline
        points={sparklinePoints(values, least)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
