import type { ConversationNote } from '@nolo/rules';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type * as noteModule from './noteText.ts';
import { addWords } from '../../i18n/i18n.ts';

type Notes = typeof noteModule;

/* The sentences weigh as much as a row of the list, and stand in few of them: they come after it. */
const notes = createStore<{ loaded: Notes | null }>(() => ({ loaded: null }));
let asked = false;

function load(): void {
  if (asked) return;
  asked = true;
  import('./noteText.ts').then(
    (loaded) => notes.setState({ loaded }),
    // Without a network and not kept yet: whoever needs it next asks again.
    () => (asked = false),
  );
}

export type NoteText = (note: ConversationNote, actorId: string, names: Parameters<Notes['noteText']>[2]) => string;

/** Puts what the server wrote into a conversation into words; null until these are here. */
export function useNoteText(): NoteText | null {
  const { t, i18n } = useTranslation();
  const loaded = useStore(notes, (state) => state.loaded);
  useEffect(load, []);
  if (loaded) addWords(i18n, 'notes', loaded.enNotes);
  return useMemo(() => loaded && ((note, actorId, names) => loaded.noteText(note, actorId, names, t)), [loaded, t]);
}
