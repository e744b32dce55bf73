import { excerptOf } from '../../search/index/excerpt.ts';
import { isolateDirection } from '@nolo/rules';
import { FileText, Image, Link2, MessageSquareText, Mic, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { useChat, useChatState } from '../../chat/context/chatContext.ts';
import { conversationName, conversationPath } from '../../chat/words/conversationName.ts';
import { useDisplayNameOf } from '../../chat/words/useDisplayNameOf.ts';
import type { FoundMessage, SearchFilter, MessageSearchKind } from '../../search/index/searchPorts.ts';
import { useFoundMessages } from '../../search/useFoundMessages.ts';
import { HighlightedText } from '../../search/HighlightedText.tsx';
import type { PaletteGroup, PaletteItem } from './paletteGroups.ts';
import { useTexts } from '../../i18n/texts.ts';
import { searchTexts } from '../../search/searchTexts.ts';

const maxItems = { messages: 6, ofKind: 3 };
/** Characters shown before the match: a row has one short line, which must contain the match. */
const shownBefore = 16;

const symbols: Readonly<Record<MessageSearchKind, ReactNode>> = {
  none: <MessageSquareText />,
  text: <MessageSquareText />,
  link: <Link2 />,
  media: <Image />,
  file: <FileText />,
  voice: <Mic />,
};

const everything: SearchFilter = {};
const files: SearchFilter = { kind: 'file' };
const links: SearchFilter = { kind: 'link' };

/** Finds messages, and the files and links in them, on this device, newest first, with a link to all of them. */
export function useMessageItems(typed: string): readonly PaletteGroup[] {
  const { t } = useTexts(searchTexts);
  const navigate = useNavigate();
  const { engine } = useChat();
  const nameOf = useDisplayNameOf();
  const selfId = useStore(engine.store, (state) => state.selfId);
  const conversations = useChatState((state) => state.conversations);
  // A single letter matches nearly every message.
  const wanted = typed.trim().length > 1 || /[^\u0000-\u00ff]/u.test(typed) ? typed : '';
  const messages = useFoundMessages(wanted, everything, maxItems.messages);
  const file = useFoundMessages(wanted, wanted === '' ? everything : files, maxItems.ofKind);
  const link = useFoundMessages(wanted, wanted === '' ? everything : links, maxItems.ofKind);
  const item = ({ conversationId, seq, senderId, kind, words, ...found }: FoundMessage): PaletteItem => {
    const { excerpt, highlights } = excerptOf(found.excerpt, found.highlights, shownBefore);
    const row = conversations[conversationId];
    const place = row && (row.type !== 'direct' || senderId === selfId) ? conversationName(row, t) : null;
    const path = row ? conversationPath(row) : `/chat/${conversationId}`;
    return {
      id: `message ${conversationId} ${seq}`,
      label: excerpt,
      shown: <HighlightedText text={excerpt} highlights={highlights} />,
      detail: place === null ? nameOf(senderId) : `${isolateDirection(nameOf(senderId))} · ${isolateDirection(place)}`,
      icon: symbols[kind],
      does: () => void navigate(path, { state: { seq, words } }),
    };
  };
  const all: PaletteItem = {
    id: 'messages all',
    label: t('search:all', { typed: wanted.trim() }),
    icon: <Search />,
    does: () => void navigate(`/search?${new URLSearchParams({ q: wanted.trim() }).toString()}`),
  };
  // Each result once, in the group that shows more.
  const others = messages.found.filter(({ kind }) => kind !== 'file' && kind !== 'link');
  const searching = wanted !== '' && messages.state === 'searching';
  return [
    {
      id: 'messages',
      title: t('search:messages'),
      // Hidden until there is an answer, because Enter would otherwise choose it.
      items: wanted === '' || (searching && messages.found.length === 0) ? [] : [...others.map(item), all],
      searching,
    },
    { id: 'files', title: t('search:files'), items: wanted === '' ? [] : file.found.map(item) },
    { id: 'links', title: t('search:links'), items: wanted === '' ? [] : link.found.map(item) },
  ];
}
