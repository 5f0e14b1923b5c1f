/* top.c -- the top module: the components of a fabric and the channels between them.
 *
 *     module NAME (
 *       input  clk, rst,                      synchronous, active high, clears everything
 *
 *       The configuration: the words of an image in their order, while nothing runs.
 *       input  cfg_valid, output cfg_ready, input [31:0] cfg_data, input cfg_last,
 *
 *       The host. `start` for one cycle empties the fabric; the cycle behind it is cycle 0.
 *       input  start,
 *       output running,                       from cycle 0 on
 *       output done,                          nothing has moved for 1024 cycles (or as many as the
 *                                             parameter PATIENCE says), or an error stopped it
 *       output [63:0] cycles,                 until the last thing moved, as `loom sim` counts
 *       output [2:0] error,                   0; 1 divides by zero, 2 overflows, 3 outside a memory,
 *                                             4 steps by zero, 5 selects an input that is not there,
 *                                             6 the image has another length. Stays until `start`
 *                                             (6: until the next image)
 *
 *       Each input A of the fabric. A token passes in a cycle where valid and ready are both 1;
 *       ready is 1 only where valid is. No `data` at a width of 0, no `tag` where it has none.
 *       input  A_valid, output A_ready, input [W-1:0] A_data, input [T-1:0] A_tag,
 *
 *       Each output A. The machine's timing is that of a host that is always ready.
 *       output A_valid, input A_ready, output [W-1:0] A_data, output [T-1:0] A_tag,
 *
 *       Each extmemory M with R regions, L load lanes, S store lanes, elements of W bits, addresses
 *       of A bits. Lane i's bits are the i-th of each vector; families without lanes are not there.
 *       input  [R*64-1:0] M_elements,         how many elements there are behind each region
 *       output [L-1:0]    M_load_valid,       a request: always taken
 *       output [L*8-1:0]  M_load_region,
 *       output [L*A-1:0]  M_load_address,     element of the region
 *       input  [L*W-1:0]  M_load_data,        the answer, in the cycle behind the request
 *       output [S-1:0]    M_store_valid, [S*8-1:0] M_store_region, [S*A-1:0] M_store_address,
 *       output [S*W-1:0]  M_store_data,       masked to what the region's elements have
 *                                             Loads of a cycle see what stores of earlier cycles
 *                                             wrote; of stores to one element in one cycle the one
 *                                             of the highest lane counts
 *
 *       Each memory M inside the fabric, for the host, while nothing runs.
 *       input  [R*64-1:0] M_elements,         how many elements of each region may be touched
 *       input  M_host_write, [31:0] M_host_address, [W-1:0] M_host_data,
 *       output [W-1:0] M_host_read            what was at M_host_address in the cycle before
 *
 *       With LOOM_OBSERVE defined, N = top_observe_count channels: in which cycle what took what.
 *       output [N-1:0] observe_take, output [N*64-1:0] observe_data
 *     );
 *
 * A, M are names made of the components' (top_component_name), W etc. numbers. Addresses of a
 * memory inside the fabric are elements of it: of a region its offset and the element's number.
 */
#include "top.h"
