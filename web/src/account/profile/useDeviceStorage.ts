import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { useChat } from '../../chat/context/chatContext.ts';
import { forgetMessages, measureMessages } from '../../chat/storage/keptSizes.ts';
import { forgetPictures, measurePictures } from '../../device/pictureSizes.ts';

/** What takes room on this device, in bytes. */
export interface DeviceStorage {
  /** All that the browser keeps for Nolo; null where it does not say. */
  total: number | null;
  pictures: number;
  messages: readonly { conversationId: string; bytes: number }[];
}

async function measureTotal(): Promise<number | null> {
  // Only secure pages are told.
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  return estimate?.usage ?? null;
}

/** What Nolo keeps on this device, and what frees it. What is freed comes back as it is looked at. */
export function useDeviceStorage() {
  const { database, drafts } = useChat();
  const unsent = useStore(drafts, (state) => state.drafts);
  const measured = useQuery({
    queryKey: ['deviceStorage'],
    queryFn: async (): Promise<DeviceStorage> => {
      const { measureSearched } = await import('../../search/search.ts');
      const [total, pictures, kept, searched] = await Promise.all([
        measureTotal(),
        // A browser that keeps nothing has nothing to tell.
        measurePictures().catch(() => 0),
        measureMessages(database).catch(() => []),
        measureSearched().catch(() => new Map<string, number>()),
      ]);
      const sizes = new Map(searched);
      for (const { conversationId, bytes } of kept) sizes.set(conversationId, (sizes.get(conversationId) ?? 0) + bytes);
      const messages = [...sizes].map(([conversationId, bytes]) => ({ conversationId, bytes }));
      return { total, pictures, messages: messages.toSorted((one, other) => other.bytes - one.bytes) };
    },
    // Of the device alone, and never out of date for long.
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  });
  const then = (free: () => Promise<unknown>) => async (): Promise<void> => {
    await free();
    await measured.refetch();
  };
  return {
    storage: measured.data,
    drafts: unsent,
    forgetPictures: then(forgetPictures),
    forgetMessages: (ids: readonly string[]) =>
      then(async () => {
        const { forgetSearched } = await import('../../search/search.ts');
        forgetSearched(ids);
        await forgetMessages(database, ids);
      })(),
    forgetDrafts(): void {
      for (const id of Object.keys(unsent)) drafts.set(id, '');
    },
  };
}
