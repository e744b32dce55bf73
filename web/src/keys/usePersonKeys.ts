import type { PersonKeys } from '@nolo/client/keys/types';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { peopleKeys } from './model/peopleKeys.ts';

/** Returns what this device knows of a person's keys; undefined until it is known. */
export function usePersonKeys(userId: string | undefined): PersonKeys | undefined {
  useEffect(() => (userId === undefined ? undefined : peopleKeys.want(userId)), [userId]);
  return useStore(peopleKeys.store, (people) => (userId === undefined ? undefined : people[userId]));
}
