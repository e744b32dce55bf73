/** @jest-environment jsdom */
import { render } from '@testing-library/react';
import { useRootMark } from './useRootMark.ts';

function Holder({ held = true }: { held?: boolean }) {
  useRootMark('stage', held);
  return null;
}

test('the document is marked for as long as one of several holds the mark', () => {
  const { dataset } = document.documentElement;
  const one = render(<Holder />);
  const other = render(<Holder held={false} />);
  expect(dataset['stage']).toBe('');
  other.rerender(<Holder />);
  one.unmount();
  expect(dataset['stage']).toBe('');
  other.rerender(<Holder held={false} />);
  expect(dataset['stage']).toBeUndefined();
});
