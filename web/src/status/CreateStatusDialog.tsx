import { limits } from '@nolo/rules';
import { ImagePlus, Type, UsersRound } from 'lucide-react';
import { useState } from 'react';
import type { StatusAudience } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { useIsServerReachable } from '../chat/context/chatContext.ts';
import { confirmSendingLocation } from '../chat/media/confirmSendingLocation.ts';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { useAction } from '../ui/useAction.ts';
import { useUnsavedWork } from '../ui/useUnsavedWork.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { MediaStatusFields } from './MediaStatusFields.tsx';
import {
  toStatusBody,
  emptyStatusForm,
  hasUnsavedContent,
  findStatusProblem,
  type StatusForm,
} from './model/statusForm.ts';
import { useAudience } from './statusQueries.ts';
import { TextStatusFields } from './TextStatusFields.tsx';
import { useOpenStatusOutbox } from './useOpenStatusOutbox.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

const AudienceDialog = lazyDialog(async () => (await import('./AudienceDialog.tsx')).AudienceDialog);

function AudienceButton() {
  const { t } = useTexts(statusTexts);
  const { data: audience } = useAudience();
  const [isOpen, setOpen] = useState(false);
  const who = ({ mode, userIds }: StatusAudience): string => {
    if (mode === 'contacts') return t('status:audience.contacts');
    const count = userIds.length;
    return mode === 'except' ? t('status:audience.exceptCount', { count }) : t('status:audience.onlyCount', { count });
  };
  return (
    <>
      <Button
        kind="quiet"
        className="me-auto min-w-0"
        disabled={audience === undefined}
        icon={<UsersRound aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        <span className="truncate">
          {t('status:audience.button', { who: who(audience ?? { mode: 'contacts', userIds: [] }) })}
        </span>
      </Button>
      {isOpen && audience && <AudienceDialog audience={audience} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Creates a status update: text on a color, a picture, or a video. */
export function CreateStatusDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(statusTexts);
  const statuses = useOpenStatusOutbox();
  const reachable = useIsServerReachable();
  const audience = useAudience();
  const [form, setForm] = useState<StatusForm>(emptyStatusForm);
  const [tried, setTried] = useState(false);
  const [working, setWorking] = useState(false);
  const problem = findStatusProblem(form);
  const error = tried && problem !== null ? problemWords(problem) : null;

  function problemWords(found: NonNullable<typeof problem>): string {
    if (found === 'tooLong') return t('status:create.tooLong', { count: limits.statusCaptionLength });
    return t(found === 'empty' ? 'status:create.empty' : 'status:create.noMedia');
  }

  const posting = useAction(
    async () => {
      const outbox = await statuses();
      const files = form.kind === 'media' ? form.media : null;
      const chosen = audience.data;
      if (files && !(await confirmSendingLocation([{ ...files, bytes: files.files.file }]))) return;
      await outbox.add({
        id: crypto.randomUUID(),
        createdAt: serverNow(),
        body: { ...toStatusBody(form), ...(chosen && { audience: chosen }) },
        ...(files && { files: files.files, name: files.name }),
        refused: null,
      });
      if (!reachable) toast({ kind: 'info', title: t('status:queued') });
      onClose();
    },
    { failure: () => ({ title: t('status:failed') }) },
  );
  const unsaved = useUnsavedWork({ dirty: hasUnsavedContent(form), safe: posting.busy, onClose });
  const post = () => {
    setTried(true);
    if (problem === null && !working) void posting.run();
  };

  return (
    <Dialog
      open
      onOpenChange={unsaved.close}
      title={t('status:create.title')}
      footer={
        <>
          <AudienceButton />
          <Button busy={posting.busy} disabled={working} onClick={post}>
            {t('status:create.post')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('status:create.kind')}
          value={form.kind}
          onValueChange={(kind) => {
            setTried(false);
            setForm({ ...form, kind });
          }}
          options={[
            { value: 'text', label: t('status:create.text'), icon: <Type aria-hidden="true" /> },
            { value: 'media', label: t('status:create.media'), icon: <ImagePlus aria-hidden="true" /> },
          ]}
        />
        {form.kind === 'text' ? (
          <TextStatusFields form={form} onForm={setForm} error={error} />
        ) : (
          <MediaStatusFields form={form} onForm={setForm} onWorking={setWorking} error={error} />
        )}
      </div>
      {unsaved.question}
    </Dialog>
  );
}
