import type { ReportId, UserId } from '@nolo/kit/ids';
import type { ReportCategory, ReportKind, ReportOutcome, ReportState } from '@nolo/rules';
import type { OperatorActor, OperatorRefusal } from './operatorPorts.ts';
import type { ReportPicture } from './reportPicture.ts';

/** Ports for user reports and how operators handle them. */

/** Unverified copy of a message, as submitted by its reader. */
export interface ReportedMessage {
  senderId: string | null;
  /** ISO 8601. */
  sentAt: string;
  text: string;
}

interface NewReport {
  id: ReportId;
  at: Date;
  reporterId: UserId;
  reportedId: UserId | null;
  kind: ReportKind;
  targetId: string;
  category: ReportCategory;
  note: string | null;
  messages: readonly ReportedMessage[];
  /** Null if the reporter submitted none. */
  picture: ReportPicture | null;
}

export interface ReportNote {
  at: Date;
  /** Null for the command line. */
  operatorId: UserId | null;
  text: string;
}

export interface Report extends Omit<NewReport, 'reporterId' | 'picture'> {
  /** Null if the account is gone. */
  reporterId: UserId | null;
  state: ReportState;
  outcome: ReportOutcome | null;
  notes: readonly ReportNote[];
  hasPicture: boolean;
}

export interface ReportChange {
  state: ReportState;
  /** Set only for closed reports. */
  outcome: ReportOutcome | null;
  note: string;
}

export interface ReportStore {
  /** Returns false if one of the two accounts is gone. */
  add(report: NewReport): Promise<boolean>;
  /** Lists reports, latest first. */
  list(
    acting: OperatorActor,
    page: { state: ReportState | undefined; before: string | undefined; limit: number },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'listed'; reports: Report[] }>;
  change(
    acting: OperatorActor,
    id: ReportId,
    change: ReportChange,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'unknown' } | { outcome: 'changed'; report: Report }>;
  picture(
    acting: OperatorActor,
    id: ReportId,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'unknown' } | { outcome: 'shown'; picture: ReportPicture }>;
  /** Deletes reports that were closed long enough ago. */
  sweep(now: Date): Promise<void>;
}
