/** @jest-environment jsdom */
import { cleanup, renderHook } from '@testing-library/react';
import { useDeferredFirstRender } from './useDeferredFirstRender.ts';

/** Returns the hook's value in each render. */
function drawn(ready: boolean): boolean[] {
  const seen: boolean[] = [];
  renderHook(() => seen.push(useDeferredFirstRender(ready)));
  return seen;
}

afterEach(cleanup);

test('ready content is drawn in another task the first time, and at once afterwards', () => {
  expect(drawn(false)).toEqual([false]);
  expect(drawn(true)).toEqual([false, true]);
  expect(drawn(true)).toEqual([true]);
});
