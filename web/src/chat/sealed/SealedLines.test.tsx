/** @jest-environment jsdom */
import type { HeaderLine } from '@nolo/client/keys/conversations/types';
import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { MessageRowTextsContext, useCreateMessageRowTexts } from '../words/messageRowTexts.ts';
import { SealedLines } from './SealedLines.tsx';

afterEach(cleanup);

function List({ children }: { children: ReactNode }) {
  return <MessageRowTextsContext value={useCreateMessageRowTexts()}>{children}</MessageRowTextsContext>;
}

test('lines name people whom the user knows from nowhere else', async () => {
  const { server, wrapper: Wrapper } = testChat();
  const { displayName } = await server.api.getUser('stranger');
  const line: HeaderLine = { seq: 1, epoch: 1, at: 0, by: 'me', change: { kind: 'added', userId: 'stranger' } };
  render(
    <Wrapper>
      <List>
        <SealedLines lines={[line]} />
      </List>
    </Wrapper>,
  );
  expect(await screen.findByText(`You added ${displayName}`)).toBeTruthy();
});
