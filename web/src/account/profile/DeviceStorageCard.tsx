import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useChat, useChatState } from '../../chat/context/chatContext.ts';
import { forgetStoredMessages, measureStoredMessages } from '../../chat/storage/keptSizes.ts';
import { conversationName } from '../../chat/words/conversationName.ts';
import { forgetPictures, measurePictures } from '../../device/pictureSizes.ts';
import { getDateFormat } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { sizeText } from '../../i18n/sizeText.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { classNames } from '../../ui/classNames.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Storage used on this device, in bytes. */
interface DeviceStorage {
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
function useDeviceStorage() {
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

/** Colors of the bar's parts, also shown next to their names. */
const keptTones = {
  messages: 'bg-accent',
  pictures: 'bg-info forced-colors:bg-[CanvasText]',
  rest: 'bg-line-strong forced-colors:border',
};

/** Number of conversations listed initially. */
const namedAtOnce = 8;

/** Data that Nolo stores on this device: its size, its kinds, and ways to free space. */
export function DeviceStorageCard() {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const { storage, drafts, forgetMessages, forgetPictures: forgetAllPictures, forgetDrafts } = useDeviceStorage();
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const size = (bytes: number): string => sizeText(bytes, locale);
  const count = Object.keys(drafts).length;
  const messages = storage?.messages.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  const known = (storage?.pictures ?? 0) + messages;
  const free = useAction((forget: () => Promise<void>) => forget(), {
    failure: () => ({ title: t('profile:kept.failed') }),
    onDone: () => toast({ kind: 'success', title: t('profile:kept.freed') }),
  });
  if (storage === undefined) {
    return (
      <Card title={t('profile:kept.title')} description={t('profile:kept.text')}>
        <Skeleton className="h-48" />
      </Card>
    );
  }
  const everyId = storage.messages.map(({ conversationId }) => conversationId);
  return (
    <Card title={t('profile:kept.title')} description={t('profile:kept.text')}>
      <ShareBar total={Math.max(storage.total ?? 0, known)} sizes={[messages, storage.pictures]} />
      <ul className="mt-3 flex flex-col divide-y divide-line">
        <Kept
          toneClass={keptTones.messages}
          label={t('profile:kept.messages')}
          size={size(messages)}
          action={t('profile:kept.forget')}
          named={t('profile:kept.forgetMessages')}
          onFree={everyId.length > 0 ? () => void free.run(() => forgetMessages(everyId)) : undefined}
        />
        <Kept
          toneClass={keptTones.pictures}
          label={t('profile:kept.pictures')}
          size={size(storage.pictures)}
          action={t('profile:kept.forget')}
          named={t('profile:kept.forgetPictures')}
          onFree={storage.pictures > 0 ? () => void free.run(forgetAllPictures) : undefined}
        />
        {storage.total !== null && (
          <Kept
            toneClass={keptTones.rest}
            label={t('profile:kept.rest')}
            size={size(Math.max(0, storage.total - known))}
            hint={t('profile:kept.restText')}
          />
        )}
        <Kept
          label={t('profile:kept.drafts')}
          size={t('profile:kept.draftCount', { count })}
          action={t('profile:kept.discard')}
          named={t('profile:kept.discardDrafts')}
          onFree={count > 0 ? () => setIsConfirmOpen(true) : undefined}
        />
      </ul>
      <ConversationSizes
        messages={storage.messages}
        size={size}
        onFree={(id) => void free.run(() => forgetMessages([id]))}
      />
      <ConfirmDialog
        open={isConfirmOpen}
        onCancel={() => setIsConfirmOpen(false)}
        title={t('profile:kept.discardDrafts')}
        text={t('profile:kept.discardText')}
        confirmLabel={t('profile:kept.discard')}
        onConfirm={async () => {
          forgetDrafts();
          setIsConfirmOpen(false);
        }}
      />
    </Card>
  );
}

/** Shares of the whole, in the order and colors of the list below; the rest stays gray. */
function ShareBar({ total, sizes }: { total: number; sizes: readonly number[] }) {
  const tones = [keptTones.messages, keptTones.pictures];
  return (
    // The list contains the same information as text.
    <div aria-hidden="true" className={classNames('flex h-2.5 gap-px overflow-hidden rounded-full', keptTones.rest)}>
      {sizes.map((size, at) => (
        <span
          key={tones[at]}
          className={tones[at]}
          style={{ width: `${total === 0 ? 0 : (size / total) * 100}%`, minWidth: size > 0 ? 4 : 0 }}
        />
      ))}
    </div>
  );
}

interface KeptProps {
  toneClass?: string;
  label: ReactNode;
  size: string;
  hint?: string;
  action?: string;
  /** Full name of the action, for users who cannot see what it is next to. */
  named?: string;
  onFree?: (() => void) | undefined;
}

function Kept({ toneClass, label, size, hint, action, named, onFree }: KeptProps) {
  return (
    <li className="flex min-h-12 items-center gap-3 py-2">
      {toneClass !== undefined && (
        <span aria-hidden="true" className={classNames('size-2.5 shrink-0 rounded-full', toneClass)} />
      )}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block text-ui-start text-14 font-medium wrap-anywhere">
          {label}
        </span>
        {hint !== undefined && <span className="block text-13 text-muted">{hint}</span>}
      </span>
      <span className="tabular shrink-0 text-13 text-muted">{size}</span>
      {action !== undefined && (
        <Button kind="secondary" size="small" aria-label={named} disabled={onFree === undefined} onClick={onFree}>
          {action}
        </Button>
      )}
    </li>
  );
}

interface ConversationSizesProps {
  messages: readonly { conversationId: string; bytes: number }[];
  size: (bytes: number) => string;
  onFree: (conversationId: string) => void;
}

/** Largest conversations, each with a way to delete its data from this device. */
function ConversationSizes({ messages, size, onFree }: ConversationSizesProps) {
  const { t } = useTexts(profileTexts);
  const conversations = useChatState((state) => state.conversations);
  const locale = useLocale();
  const [all, setAll] = useState(false);
  const named = messages.flatMap(({ conversationId, bytes }) => {
    const conversation = conversations[conversationId];
    if (!conversation) return [];
    // Meeting chats share a name, so the day of the last message distinguishes them.
    const day =
      conversation.type === 'meeting' && Date.parse(conversation.lastMessage?.createdAt ?? conversation.createdAt);
    const hint = day === false ? {} : { hint: getDateFormat(locale, { dateStyle: 'medium' }).format(day) };
    return [{ conversationId, bytes, name: conversationName(conversation, t), ...hint }];
  });
  if (named.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="text-13 font-semibold text-muted">{t('profile:kept.byChat')}</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line">
        {named.slice(0, all ? undefined : namedAtOnce).map(({ conversationId, bytes, name, hint }) => (
          <Kept
            key={conversationId}
            label={name}
            {...(hint !== undefined && { hint })}
            size={size(bytes)}
            action={t('profile:kept.forget')}
            named={t('profile:kept.forgetOf', { name })}
            onFree={() => onFree(conversationId)}
          />
        ))}
      </ul>
      {named.length > namedAtOnce && !all && (
        <Button kind="quiet" size="small" wide className="mt-2" onClick={() => setAll(true)}>
          {t('profile:kept.more')}
        </Button>
      )}
    </section>
  );
}
