/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { useOptimisticSearchParams } from './useOptimisticSearchParams.ts';

afterEach(cleanup);

/** Search field and filter that leave each other's values unchanged. */
function Searching() {
  const [query, change] = useOptimisticSearchParams();
  const { search } = useLocation();
  const rest = Object.fromEntries(query);
  return (
    <>
      <input
        aria-label="Words"
        value={query.get('q') ?? ''}
        onChange={({ target }) => change({ ...rest, q: target.value })}
      />
      <button type="button" onClick={() => change({ ...rest, kind: 'link' })}>
        Links
      </button>
      <Link to="?q=elsewhere">Elsewhere</Link>
      <output>{search}</output>
    </>
  );
}

test('text typed and options chosen before the router catches up both count', async () => {
  render(<Searching />, { wrapper: MemoryRouter });
  const field = screen.getByRole<HTMLInputElement>('textbox');
  // Changes both in one step, as on a machine without time in between.
  await act(async () => {
    fireEvent.change(field, { target: { value: 'timetable' } });
    expect(field.value).toBe('timetable');
    fireEvent.click(screen.getByRole('button'));
  });
  expect([screen.getByRole('status').textContent, field.value]).toEqual(['?q=timetable&kind=link', 'timetable']);
  // A query from a link elsewhere takes effect as usual.
  await act(async () => fireEvent.click(screen.getByRole('link')));
  expect(field.value).toBe('elsewhere');
});
