import type { Call } from '@nolo/api';
import type { CallType } from '@nolo/rules';
import type { Timers } from '@nolo/client/ports';
import type { SocketConnection } from '@nolo/client/socket/socketRequests';

export interface CallChange {
  type?: 'video';
  mode?: 'room';
  status?: 'connected';
}

/** Server requests of calls. Rejects with errors that `failureOf` understands. */
export interface CallApi {
  /** Returns the direct conversation with a user, creating it if needed. */
  conversationWith(userId: string): Promise<string>;
  initiate(conversationId: string, callType: CallType, deviceId: string): Promise<Call>;
  list(): Promise<Call[]>;
  get(id: string): Promise<Call>;
  answer(id: string, deviceId: string, signalData?: Record<string, unknown>): Promise<Call>;
  decline(id: string): Promise<Call>;
  end(id: string): Promise<Call>;
  update(id: string, change: CallChange & { deviceId: string }): Promise<Call>;
  invite(id: string, userId: string): Promise<Call>;
}

export interface CallFailure {
  /** True if the same request may work a little later. */
  passing: boolean;
  code: string;
}

/** Notice to the user in addition to the state. */
export type CallNotice =
  { kind: 'failed'; step: 'start' | 'answer' | 'change'; error: unknown } | { kind: 'elsewhere' };

export interface CallDependencies {
  selfId: string;
  deviceId: string;
  api: CallApi;
  socket: Pick<SocketConnection, 'isOpen' | 'subscribe' | 'onChange'>;
  timers: Timers;
  failureOf: (error: unknown) => CallFailure;
  /** Returns the answer to the other side's offer, if it arrived while ringing. */
  prepared?: () => Record<string, unknown> | null;
  onNotice: (notice: CallNotice) => void;
}
