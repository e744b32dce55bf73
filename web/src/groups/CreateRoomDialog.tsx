import { limits } from '@nolo/rules';
import { Globe, Lock } from 'lucide-react';
import { useRef, useState } from 'react';
import { showFailure } from '../ui/failures.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import type { GroupDialogOrigin } from './groupDialogOrigin.ts';
import { toCreateRoomRequest, createEmptyRoomForm, findRoomFormProblem } from './groupForm.ts';
import type { RoomForm, RoomFormProblem } from './groupForm.ts';
import { GroupSwitches } from './GroupSwitches.tsx';
import type { SharedGroup } from './ShareGroupDialog.tsx';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

export interface CreateRoomDialogProps {
  entry: GroupDialogOrigin;
  onClose: () => void;
  onCreated: (group: SharedGroup) => void;
}

/** Creates a room that others join by its code (spec section 5). The input is lost when the dialog closes. */
export function CreateRoomDialog({ entry, onClose, onCreated }: CreateRoomDialogProps) {
  const { t } = useGroupsWords();
  const words = useExplainFailure();
  const { createRoom } = useGroupActions();
  const nameField = useRef<HTMLInputElement>(null);
  const maxField = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState<RoomForm>(createEmptyRoomForm);
  const [problem, setProblem] = useState<RoomFormProblem | null>(null);
  const range = { min: limits.groupMembersMin, max: limits.groupMembersMax };
  const set = (patch: Partial<RoomForm>) => setForm((known) => ({ ...known, ...patch }));

  const refuse = (found: RoomFormProblem) => {
    setProblem(found);
    (found === 'name' ? nameField : maxField).current?.focus();
  };

  const create = async () => {
    const found = findRoomFormProblem(form);
    if (found) {
      refuse(found);
      return;
    }
    try {
      onCreated(await createRoom(toCreateRoomRequest(form)));
    } catch (error) {
      showFailure({
        title: entry === 'mobile' ? t('groups.problem.createMobile') : words(error, t('groups.problem.createDesktop')),
      });
    }
  };

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('groups.form.roomTitle')}
      description={t('groups.form.roomText')}
      submitLabel={t('groups.form.submitRoom')}
      busyLabel={t('groups.form.creating')}
      onClose={onClose}
      onSubmit={create}
    >
      <TextField
        ref={nameField}
        dir="auto"
        autoComplete="off"
        maxLength={limits.groupNameLength}
        label={t('groups.form.roomName')}
        placeholder={t('groups.form.roomNamePlaceholder')}
        error={
          problem === 'name'
            ? t('common.titled', { title: t('groups.problem.roomNameTitle'), text: t('groups.problem.roomNameText') })
            : null
        }
        value={form.name}
        onChange={(event) => {
          set({ name: event.target.value });
          if (problem === 'name') setProblem(null);
        }}
      />
      <TextArea
        dir="auto"
        maxLength={limits.groupDescriptionLength}
        label={t('groups.form.description')}
        value={form.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <div>
        <p aria-hidden="true" className="mb-1.5 text-13 font-medium">
          {t('groups.form.who')}
        </p>
        <Segmented
          label={t('groups.form.who')}
          value={form.isPublic ? 'public' : 'private'}
          onValueChange={(value) => set({ isPublic: value === 'public' })}
          options={[
            { value: 'public', label: t('groups.form.public'), icon: <Globe aria-hidden="true" /> },
            { value: 'private', label: t('groups.form.private'), icon: <Lock aria-hidden="true" /> },
          ]}
        />
        <p className="mt-1.5 text-13 text-muted">
          {t(form.isPublic ? 'groups.form.publicHint' : 'groups.form.privateHint')}
        </p>
      </div>
      <TextField
        ref={maxField}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        className="max-w-48"
        label={t('groups.form.maxMembers')}
        hint={t('groups.form.maxHint', range)}
        error={problem === 'maxMembers' ? t('groups.problem.maxMembers', range) : null}
        value={form.maxMembers}
        onChange={(event) => {
          set({ maxMembers: event.target.value });
          if (problem === 'maxMembers') setProblem(null);
        }}
      />
      <GroupSwitches values={form} onChange={set} />
    </FormDialog>
  );
}
