import type { Conversation } from '@nolo/api';
import type { FocusEvent, KeyboardEvent } from 'react';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { useRowArrowKeys } from './useRowArrowKeys.ts';
import type { RenderMissingRow } from './useRowArrowKeys.ts';

interface RowFocus {
  /** Conversation that is open beside the list. */
  currentId: string | undefined;
  /** Row that Tab reaches. */
  tabStopId: string | undefined;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** Handles the keyboard in the conversation list: Tab reaches one row, and the arrows move from there. */
export function useRowFocus(rows: readonly Conversation[], draw?: RenderMissingRow): RowFocus {
  const { id: currentId } = useParams();
  const [focusedId, setFocusedId] = useState<string>();
  const ids = rows.map((row) => row.id);
  const onKeyDown = useRowArrowKeys(ids, setFocusedId, draw);
  const tabStopId = [focusedId, currentId].find((id) => id !== undefined && ids.includes(id)) ?? ids[0];
  return {
    currentId,
    tabStopId,
    onKeyDown,
    onFocus: (event) => setFocusedId((event.target as HTMLElement).dataset['conversation'] ?? focusedId),
  };
}
