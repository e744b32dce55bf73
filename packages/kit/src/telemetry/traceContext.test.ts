import { isSampled, newTraceContext, readTraceparent, writeTraceparent } from './traceContext.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('survives a round trip', () => {
    for (const sampled of [true, false]) {
      const context = newTraceContext(sampled);
      expect(readTraceparent(writeTraceparent(context))).toEqual(context);
    }
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
    // A later version, with unknown fields.
    expect(readTraceparent(`01-${traceId}-${spanId}-02-more`)).toEqual({ traceId, spanId, sampled: false });
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${traceId}-${spanId}`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(200)}`,
  ])('is not %p', (value) => {
    expect(readTraceparent(value)).toBeUndefined();
  });
});

it('samples the requested share, and always the same traces', () => {
  const ids = Array.from({ length: 4000 }, () => newTraceContext(false).traceId);
  const kept = ids.filter((id) => isSampled(id, 0.25));
  // Tolerance of six standard deviations.
  expect(kept.length).toBeGreaterThan(1000 - 165);
  expect(kept.length).toBeLessThan(1000 + 165);
  expect(kept.every((id) => isSampled(id, 0.25) && isSampled(id, 0.5))).toBe(true);
  expect(ids.every((id) => isSampled(id, 1))).toBe(true);
  expect(ids.some((id) => isSampled(id, 0))).toBe(false);
});
