import { routes, type StatusAudience } from '@nolo/api';
import { statusAudienceModes, type StatusAudienceMode } from '@nolo/rules';
import { useEffect, useId, useState } from 'react';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { MemberPicker } from '../groups/MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogClose } from '../ui/Dialog.tsx';
import { useAction } from '../ui/useAction.ts';
import { useUnsavedWork } from '../ui/useUnsavedWork.tsx';
import { audienceKey } from './statusQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

const nobody: ReadonlySet<string> = new Set();

/** Chooses who sees future status updates. The choice is stored (decision 24). */
export function AudienceDialog({ audience, onClose }: { audience: StatusAudience; onClose: () => void }) {
  const { t } = useTexts(statusTexts);
  const { engine } = useChat();
  const people = useChatState((state) => state.people);
  const name = useId();
  const [mode, setMode] = useState<StatusAudienceMode>(audience.mode);
  const [changed, setChanged] = useState<readonly ListedPerson[] | null>(null);
  const [tried, setTried] = useState(false);
  const { userIds } = audience;
  useEffect(() => engine.wantNames([...userIds]), [engine, userIds]);
  const chosen =
    changed ??
    userIds.map((id) => ({
      id,
      displayName: people[id]?.displayName ?? '…',
      profileImageUrl: people[id]?.profileImageUrl ?? null,
    }));
  const missing = mode === 'only' && chosen.length === 0;
  const saving = useAction(routes.setStatusAudience, {
    failure: t('status:audience.failed'),
    invalidates: [audienceKey],
    onDone: onClose,
  });
  const unsaved = useUnsavedWork({ dirty: changed !== null, safe: saving.busy, onClose });
  const save = () => {
    setTried(true);
    if (missing) return;
    void saving.run({ body: { mode, userIds: mode === 'contacts' ? [] : chosen.map(({ id }) => id) } });
  };
  return (
    <Dialog
      open
      onOpenChange={unsaved.close}
      title={t('status:audience.title')}
      description={t('status:audience.note')}
      footer={
        <>
          <DialogClose>
            <Button kind="secondary">{t('common.cancel')}</Button>
          </DialogClose>
          <Button busy={saving.busy} onClick={save}>
            {t('status:audience.save')}
          </Button>
        </>
      }
    >
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{t('status:audience.title')}</legend>
        {statusAudienceModes.map((value) => (
          <label
            key={value}
            className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr] content-center items-center gap-x-3 rounded-card px-2 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={mode === value}
              onChange={() => setMode(value)}
              className="row-span-2 size-5 accent-accent outline-none"
            />
            <span className="text-15 font-medium">{t(`status:audience.${value}`)}</span>
            <span className="text-13 text-muted">{t(`status:audience.${value}Text`)}</span>
          </label>
        ))}
      </fieldset>
      {mode !== 'contacts' && (
        <div className="mt-3">
          <MemberPicker
            label={t('status:audience.who')}
            chosen={chosen}
            onChange={setChanged}
            excluded={nobody}
            error={tried && missing ? t('status:audience.nobody') : null}
          />
        </div>
      )}
      {unsaved.question}
    </Dialog>
  );
}
