import type { OpmlDocument } from './document.ts';

export interface Head {
  title?: string | undefined;
  status: string;
  fault?: string | undefined;
  faultCode?: string | undefined;
}

/** The head as both notations write it. A failure always has a fault: clients show it without looking whether it is there. */
export function headOf(document: OpmlDocument): Head {
  const status = document.status ?? (document.fault ? 500 : 200);
  if (status === 200) return { title: document.title, status: '200' };
  const fault = document.fault || `The call failed with status ${status}`;
  return { status: String(status), fault, faultCode: document.faultCode };
}
