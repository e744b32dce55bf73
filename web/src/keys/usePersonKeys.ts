import type { PersonKeys } from '@nolo/client/keys/types';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { peopleKeys, type PeopleKeys } from './model/peopleKeys.ts';

/** Returns what this device knows of a person's keys; undefined until it is known. */
export function usePersonKeys(userId: string | undefined): PersonKeys | undefined {
  useEffect(() => (userId === undefined ? undefined : peopleKeys.want(userId)), [userId]);
  return useStore(peopleKeys.store, (people) => (userId === undefined ? undefined : people[userId]));
}

/** Returns what this device knows of people's keys, by user id, and looks up those that are missing. */
export function usePeopleKeys(userIds: readonly string[]): PeopleKeys {
  const wanted = userIds.join(' ');
  useEffect(() => {
    const leave = wanted.split(' ').map((id) => (id === '' ? () => undefined : peopleKeys.want(id)));
    return () => leave.forEach((one) => one());
  }, [wanted]);
  return useStore(peopleKeys.store);
}
