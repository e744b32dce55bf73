import type { Conversation } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { FormEvent } from 'react';
import { useId, useMemo, useRef, useState } from 'react';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useGroupMembers } from '../chat/context/groupQueries.ts';
import { MemberPicker } from './MemberPicker.tsx';
import type { Person } from './call/person.ts';
import { useGroupChanges } from './useGroupChanges.ts';
import { useGroupsWords } from './call/useGroupsWords.ts';

/** Brings more people into the group. */
export function AddMembersDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useGroupsWords();
  const { addMembers } = useGroupChanges();
  const { members } = useGroupMembers(conversation.id);
  const form = useId();
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const excluded = useMemo(() => new Set(members?.map(({ userId }) => userId)), [members]);

  const add = async () => {
    if (busy) return;
    const wrong =
      chosen.length === 0
        ? t('groups.problem.members')
        : chosen.length > limits.groupMembersPerRequest
          ? t('groups.form.tooMany', { count: limits.groupMembersPerRequest })
          : null;
    if (wrong !== null) {
      setProblem(wrong);
      search.current?.focus();
      return;
    }
    setBusy(true);
    const added = await addMembers(
      conversation.id,
      chosen.map(({ id }) => id),
    );
    setBusy(false);
    if (!added) return;
    const { members: now, skipped } = added.result;
    const refused = skipped.filter(({ reason }) => reason !== 'already_member').length;
    toast({
      kind: refused > 0 && now.length === 0 ? 'error' : 'success',
      title: t('groups.details.added', { count: now.length }),
      ...(refused > 0 && { description: t('groups.details.notAdded', { count: refused }) }),
    });
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => search.current}
      title={t('groups.details.addMembers')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={form} busy={busy}>
            {t(busy ? 'groups.details.adding' : 'groups.details.add')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void add();
        }}
      >
        <MemberPicker
          ref={search}
          chosen={chosen}
          excluded={excluded}
          error={problem}
          onChange={(people) => {
            setChosen(people);
            setProblem(null);
          }}
        />
      </form>
    </Dialog>
  );
}
