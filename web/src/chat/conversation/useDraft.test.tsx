/** @jest-environment jsdom */
import { act, cleanup, renderHook } from '@testing-library/react';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { useDraft } from './useDraft.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function open() {
  const { chat, wrapper } = testChat();
  const hook = renderHook(() => useDraft('c1'), { wrapper });
  return {
    chat,
    hook,
    text: () => hook.result.current[0],
    type: (text: string) => act(() => hook.result.current[1](text)),
  };
}

test('a composer without typed text shows another tab’s draft, and never overwrites it', () => {
  const one = open();
  const other = open();
  one.type('half a thought');
  one.hook.unmount();
  act(() => other.chat.drafts.refresh(null));
  expect(other.text()).toBe('half a thought');

  const third = open();
  third.type('half a thought, continued');
  third.hook.unmount();
  // The suspended tab missed the change.
  other.hook.unmount();
  expect(open().text()).toBe('half a thought, continued');
});

test('text being typed stays, whatever another tab stores meanwhile', () => {
  const one = open();
  const other = open();
  one.type('mine');
  other.type('theirs');
  other.hook.unmount();
  act(() => one.chat.drafts.refresh(null));
  expect(one.text()).toBe('mine');
});
