/** @jest-environment jsdom */
import { render, screen } from '@testing-library/react';
import { Meter } from './Meter.tsx';

const fillOf = (label: string) => screen.getByRole('meter', { name: label }).firstElementChild;

test('a full meter warns of it, and a completed one does not', () => {
  render(
    <>
      <Meter label="Little room" text="9 of 10" used={9} limit={10} />
      <Meter label="No room" text="10 of 10" used={10} limit={10} />
      <Meter label="Done" text="10 of 10" used={10} limit={10} fills />
    </>,
  );
  expect(fillOf('Little room')?.className).toContain('bg-warning');
  expect(fillOf('No room')?.className).toContain('bg-danger');
  expect(fillOf('Done')?.className).toContain('bg-accent');
});
