/** @jest-environment jsdom */
import { render } from '@testing-library/react';
import { useRootAttribute } from './useRootAttribute.ts';

function Holder({ isActive = true }: { isActive?: boolean }) {
  useRootAttribute('stage', isActive);
  return null;
}

test('the document keeps the attribute while any of several components sets it', () => {
  const { dataset } = document.documentElement;
  const one = render(<Holder />);
  const other = render(<Holder isActive={false} />);
  expect(dataset['stage']).toBe('');
  other.rerender(<Holder />);
  one.unmount();
  expect(dataset['stage']).toBe('');
  other.rerender(<Holder isActive={false} />);
  expect(dataset['stage']).toBeUndefined();
});
