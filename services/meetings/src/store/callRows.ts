import type { CallId, ConversationId, UserId } from '@nolo/kit/ids';
import type { CallEndReason, CallStatus, CallType } from '@nolo/rules';
import type { StoredCall, CallMode, CallPerson, CallPersonState } from '../domain/call.ts';

export interface CallRow {
  id: CallId;
  conversation_id: ConversationId;
  type: CallType;
  status: CallStatus;
  mode: CallMode;
  caller_id: UserId;
  end_reason: CallEndReason | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  note_at: Date | null;
  alone_since: Date | null;
  /** Counted by a trigger. */
  version: number;
}

export interface CallPersonRow {
  call_id: CallId;
  user_id: UserId;
  device_id: string;
  state: CallPersonState;
  created_at: Date;
  silent: boolean;
}

export function fromCallRow(row: CallRow, people: readonly CallPersonRow[]): StoredCall {
  const all = people.map((one): CallPerson => ({
    userId: one.user_id,
    deviceId: one.device_id,
    state: one.state,
    since: one.created_at,
    silent: one.silent,
  }));
  const isCaller = ({ userId }: CallPerson) => userId === row.caller_id;
  return {
    id: row.id,
    conversationId: row.conversation_id,
    type: row.type,
    status: row.status,
    mode: row.mode,
    callerId: row.caller_id,
    people: [...all.filter(isCaller), ...all.filter((one) => !isCaller(one))],
    endReason: row.end_reason,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    aloneSince: row.alone_since,
    version: row.version,
  };
}

export function toCallColumns(call: StoredCall): Omit<CallRow, 'version'> {
  return {
    id: call.id,
    conversation_id: call.conversationId,
    type: call.type,
    status: call.status,
    mode: call.mode,
    caller_id: call.callerId,
    end_reason: call.endReason,
    created_at: call.createdAt,
    started_at: call.startedAt,
    ended_at: call.endedAt,
    // Stored as ended exactly once, which schedules the entry in the conversation.
    note_at: call.endedAt,
    alone_since: call.aloneSince,
  };
}

export function toCallPersonColumns(callId: CallId, one: CallPerson): CallPersonRow {
  return {
    call_id: callId,
    user_id: one.userId,
    device_id: one.deviceId,
    state: one.state,
    created_at: one.since,
    silent: one.silent,
  };
}
