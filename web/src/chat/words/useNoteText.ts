import type { ConversationNote } from '@nolo/rules';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type * as noteModule from './noteText.ts';
import { addWords } from '../../i18n/i18n.ts';

type Notes = typeof noteModule;

/* Texts of system messages, which load after the list: they are as large as a row, and few rows need them. */
const notes = createStore<{ loaded: Notes | null }>(() => ({ loaded: null }));
let asked = false;

function load(): void {
  if (asked) return;
  asked = true;
  import('./noteText.ts').then(
    (loaded) => notes.setState({ loaded }),
    // Offline and not cached yet: the next caller retries.
    () => (asked = false),
  );
}

export type NoteText = (note: ConversationNote, actorId: string, names: Parameters<Notes['noteText']>[2]) => string;

/** Returns a formatter for system messages. Null until its texts load. */
export function useNoteText(): NoteText | null {
  const { t, i18n } = useTranslation();
  const loaded = useStore(notes, (state) => state.loaded);
  useEffect(load, []);
  if (loaded) addWords(i18n, 'notes', loaded.enNotes);
  return useMemo(() => loaded && ((note, actorId, names) => loaded.noteText(note, actorId, names, t)), [loaded, t]);
}
