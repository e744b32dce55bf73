/** @jest-environment jsdom */
import type { Message } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { Composer } from './Composer.tsx';
import { useEditing } from './useEditing.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function setUp(chat = testChat()) {
  const onEditLast = jest.fn<(begin: (message: Message) => void) => void>();
  const send = jest.spyOn(chat.engine, 'send');
  function Example() {
    const editing = useEditing();
    const input = useRef<HTMLTextAreaElement>(null);
    return (
      <Composer
        conversationId="c1"
        name="Amara"
        editing={editing}
        input={input}
        onEditLast={() => onEditLast(editing.begin)}
      />
    );
  }
  render(<Example />, { wrapper: chat.wrapper });
  const box = () => screen.getByRole<HTMLTextAreaElement>('textbox');
  return { ...chat, onEditLast, send, box, user: userEvent.setup() };
}

test('Enter sends what was written, trimmed; Shift and Enter breaks the line', async () => {
  const { user, box, send } = setUp();
  await user.type(box(), ' one{Shift>}{Enter}{/Shift}two {Enter}');
  expect(send).toHaveBeenCalledWith('c1', 'one\ntwo');
  expect(box().value).toBe('');
});

test('blank text is not sent', async () => {
  const { user, box, send } = setUp();
  await user.type(box(), '  {Enter}');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).not.toHaveBeenCalled();
});

test('Enter belongs to the input method while it composes', async () => {
  const { user, box, send } = setUp();
  await user.type(box(), 'にほん');
  fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
  fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
  expect(send).not.toHaveBeenCalled();
});

test('a draft waits where it was left, and is another one’s in no other conversation', async () => {
  const first = setUp();
  await first.user.type(first.box(), 'half a');
  cleanup();
  expect(setUp().box().value).toBe('half a');
});

test('arrow up changes the last message; Escape gives the draft back', async () => {
  const chat = testChat();
  const { user, box, onEditLast, engine } = setUp(chat);
  const stored = chat.server.store('me', 'teh bay', null);
  onEditLast.mockImplementation((begin) => begin(stored));
  const edit = jest.spyOn(engine, 'edit').mockResolvedValue();

  await user.type(box(), '{ArrowUp}');
  expect(screen.getAllByText('Editing message')).toHaveLength(1);
  expect(box().value).toBe('teh bay');
  await user.keyboard('{Escape}');
  expect(box().value).toBe('');

  await user.keyboard('{ArrowUp}');
  await user.clear(box());
  await user.keyboard('the bay{Enter}');
  expect(edit).toHaveBeenCalledWith('m1', 'the bay');
});
