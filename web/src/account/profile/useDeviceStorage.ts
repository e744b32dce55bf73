import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { useChat } from '../../chat/context/chatContext.ts';
import { forgetStoredMessages, measureStoredMessages } from '../../chat/storage/keptSizes.ts';
import { forgetPictures, measurePictures } from '../../device/pictureSizes.ts';

/** Storage used on this device, in bytes. */
export interface DeviceStorage {
  /** Everything that the browser stores for Nolo; null if it does not say. */
  total: number | null;
  pictures: number;
  messages: readonly { conversationId: string; bytes: number }[];
}

async function measureTotal(): Promise<number | null> {
  // Available to secure pages only.
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  return estimate?.usage ?? null;
}

/** Measures the data that Nolo stores on this device, and frees it. Freed data is loaded again when it is viewed. */
export function useDeviceStorage() {
  const { database, drafts } = useChat();
  const unsent = useStore(drafts, (state) => state.drafts);
  const measured = useQuery({
    queryKey: ['deviceStorage'],
    queryFn: async (): Promise<DeviceStorage> => {
      const { measureSearchIndex: measureSearched } = await import('../../search/search.ts');
      const [total, pictures, kept, searched] = await Promise.all([
        measureTotal(),
        // If the browser stores nothing, there is nothing to measure.
        measurePictures().catch(() => 0),
        measureStoredMessages(database).catch(() => []),
        measureSearched().catch(() => new Map<string, number>()),
      ]);
      const sizes = new Map(searched);
      for (const { conversationId, bytes } of kept) sizes.set(conversationId, (sizes.get(conversationId) ?? 0) + bytes);
      const messages = [...sizes].map(([conversationId, bytes]) => ({ conversationId, bytes }));
      return { total, pictures, messages: messages.toSorted((one, other) => other.bytes - one.bytes) };
    },
    // Reads the device only, and must always be fresh.
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
        const { dropSearchIndexOf: forgetSearched } = await import('../../search/search.ts');
        forgetSearched(ids);
        await forgetStoredMessages(database, ids);
      })(),
    forgetDrafts(): void {
      for (const id of Object.keys(unsent)) drafts.set(id, '');
    },
  };
}
