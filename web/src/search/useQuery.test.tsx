/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { useQuery } from './useQuery.ts';

afterEach(cleanup);

/** A field and a filter, of which each leaves the other as it is. */
function Searching() {
  const [query, change] = useQuery();
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

test('what is typed and what is chosen before the router comes to it both count', async () => {
  render(<Searching />, { wrapper: MemoryRouter });
  const field = screen.getByRole<HTMLInputElement>('textbox');
  // In one go, as on a machine that has no time between the two.
  await act(async () => {
    fireEvent.change(field, { target: { value: 'timetable' } });
    expect(field.value).toBe('timetable');
    fireEvent.click(screen.getByRole('button'));
  });
  expect([screen.getByRole('status').textContent, field.value]).toEqual(['?q=timetable&kind=link', 'timetable']);
  // What comes by the address from elsewhere counts as before.
  await act(async () => fireEvent.click(screen.getByRole('link')));
  expect(field.value).toBe('elsewhere');
});
