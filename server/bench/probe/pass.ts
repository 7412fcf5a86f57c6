/** All stations of the farm once, and what that took. */
export interface Pass {
  wallMs: number;
  /** Of the process that listened, all its threads. */
  cpuMs: number;
}
