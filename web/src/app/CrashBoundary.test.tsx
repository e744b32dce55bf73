/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';

function Faulty(): never {
  throw new Error('a secret of the inside');
}

test('an unexpected error leaves a way on instead of an empty page, and shows no internals', () => {
  // React logs the caught error on the console.
  const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  render(
    <TestProviders>
      <CrashBoundary>
        <Faulty />
      </CrashBoundary>
      <CrashBoundary>
        <p>unharmed</p>
      </CrashBoundary>
    </TestProviders>,
  );
  consoleError.mockRestore();
  const shown = screen.getByRole('alert');
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(shown.textContent).not.toContain('secret');
  expect(screen.getByText('unharmed')).toBeTruthy();
});
