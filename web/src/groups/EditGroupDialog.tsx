import type { Conversation } from '@nolo/api';
import { cleanName, limits } from '@nolo/rules';
import { useRef, useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

/** Edits the group's name and description. */
export function EditGroupDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useGroupsWords();
  const { update } = useGroupActions();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(conversation.name ?? '');
  const [description, setDescription] = useState(conversation.description ?? '');
  const [missing, setMissing] = useState(false);

  const save = async () => {
    if (cleanName(name) === '') {
      setMissing(true);
      nameField.current?.focus();
      return;
    }
    const change = {
      ...(cleanName(name) !== conversation.name && { name: cleanName(name) }),
      ...(description.trim() !== (conversation.description ?? '') && { description: description.trim() }),
    };
    if (Object.keys(change).length === 0) return onClose();
    if (await update(conversation.id, change)) onClose();
  };

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('groups.form.editTitle')}
      submitLabel={t('common.save')}
      busyLabel={t('groups.form.saving')}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        ref={nameField}
        dir="auto"
        autoComplete="off"
        maxLength={limits.groupNameLength}
        label={t('groups.form.name')}
        error={missing ? t('groups.problem.name') : null}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setMissing(false);
        }}
      />
      <TextArea
        dir="auto"
        maxLength={limits.groupDescriptionLength}
        label={t('groups.form.description')}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
