import { useEffect, useState } from 'react';
import { toast } from './toasts.ts';

/** Failure as translated text. */
export interface ShownFailure {
  title: string;
  description?: string | undefined;
}

type Place = (failure: ShownFailure) => void;

/** Open dialogs, the topmost last. */
const places: Place[] = [];

/** Milliseconds below which a failure counts as unread, because its dialog closed with the action. */
const unreadMs = 1_000;

/** Shows a failure of the user's own action in the topmost open dialog, or as a toast if none is open. */
export function showFailure(failure: ShownFailure): void {
  const place = places.at(-1);
  if (place) place(failure);
  else toast({ kind: 'error', title: failure.title, ...(failure.description && { description: failure.description }) });
}

/**
 * Makes a dialog the place for failures while it is open. If the dialog closes right after a failure, the failure moves
 * to the dialog below, or to a toast.
 *
 * @returns the failure to show, and a function that removes it
 */
export function useFailureHost(open: boolean): [failure: ShownFailure | null, clear: () => void] {
  const [failure, setFailure] = useState<ShownFailure | null>(null);
  useEffect(() => {
    if (!open) return undefined;
    let latest: { failure: ShownFailure; at: number } | undefined;
    const place = (shown: ShownFailure) => {
      latest = { failure: shown, at: performance.now() };
      // Copied, so that an equal failure is announced again.
      setFailure({ ...shown });
    };
    // A user who acts after the failure has read it.
    const acted = () => {
      latest = undefined;
    };
    places.push(place);
    addEventListener('pointerdown', acted, true);
    addEventListener('keydown', acted, true);
    return () => {
      removeEventListener('pointerdown', acted, true);
      removeEventListener('keydown', acted, true);
      places.splice(places.indexOf(place), 1);
      setFailure(null);
      if (latest && performance.now() - latest.at < unreadMs) showFailure(latest.failure);
    };
  }, [open]);
  return [failure, () => setFailure(null)];
}
