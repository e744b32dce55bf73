import type { Call } from '@nolo/api';
import type { CallType } from '@nolo/rules';
import type { Timers } from '../../api/ports.ts';
import type { SocketLine } from '../../api/socketRequests.ts';

export interface CallChange {
  type?: 'video';
  mode?: 'room';
  status?: 'connected';
}

/** What calls ask of the server. Rejects with what `failureOf` understands. */
export interface CallApi {
  /** The direct conversation with somebody, made where there is none yet. */
  conversationWith(userId: string): Promise<string>;
  initiate(conversationId: string, callType: CallType, deviceId: string): Promise<Call>;
  /** The latest. */
  list(): Promise<Call[]>;
  get(id: string): Promise<Call>;
  answer(id: string, deviceId: string, signalData?: Record<string, unknown>): Promise<Call>;
  decline(id: string): Promise<Call>;
  end(id: string): Promise<Call>;
  update(id: string, change: CallChange & { deviceId: string }): Promise<Call>;
  invite(id: string, userId: string): Promise<Call>;
}

export interface CallFailure {
  /** Whether the same may work a little later. */
  passing: boolean;
  code: string;
}

/** What a person is told of besides the state itself. */
export type CallNotice =
  { kind: 'failed'; step: 'start' | 'answer' | 'change'; error: unknown } | { kind: 'elsewhere' };

export interface CallDependencies {
  selfId: string;
  deviceId: string;
  api: CallApi;
  line: Pick<SocketLine, 'isOpen' | 'subscribe' | 'onChange'>;
  timers: Timers;
  failureOf: (error: unknown) => CallFailure;
  /** What the other side's offer is answered with, where it came while the call rang. */
  prepared?: () => Record<string, unknown> | null;
  onNotice: (notice: CallNotice) => void;
}
