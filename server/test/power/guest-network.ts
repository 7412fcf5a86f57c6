/** As QEMU's network for one guest gives them out; the guest reaches nobody, and is reached on one port of loopback only. */
export const GUEST_ADDRESS = '10.0.2.15';
export const GUEST_GATEWAY = '10.0.2.2';
export const PORT_INSIDE = 5432;
