/* abi.c -- where every field of the public structs stands, as a table.
 *
 *     cc -I plugins spec-tests/plugins/abi.c -o abi && ./abi | diff spec-tests/plugins/abi-1.txt -
 *
 * Plugins that exist were compiled with these offsets. The table beside this file is of ABI 1 on
 * machines with 64-bit pointers; the test-suite compares. A field that was added at an end adds a
 * line to the table and changes a size; nothing else may ever change.
 */
#include "loom_call.h"
#include "loom_fabric.h"
#include "loom_frontend.h"
#include "loom_machine.h"
#include "loom_plugin.h"
#include "loom_replay.h"
#include "loom_show.h"

#include <stdio.h>

#define STRUCT(type)       printf("%s %zu\n", #type, sizeof(type))
#define FIELD(type, field) printf("  %-16s %zu\n", #field, offsetof(type, field))
#define NUMBER(name)       printf("%s %ld\n", #name, (long)(name))

/* What LOOM and a backend are to each other. */
static void a_backend(void) {
  STRUCT(loom_host);
  FIELD(loom_host, size);
  FIELD(loom_host, abi_major);
  FIELD(loom_host, abi_minor);
  FIELD(loom_host, version);
  FIELD(loom_host, alloc);
  FIELD(loom_host, diag);
  FIELD(loom_host, write);
  FIELD(loom_host, option);
  FIELD(loom_host, get_extension);
  STRUCT(loom_option);
  FIELD(loom_option, size);
  FIELD(loom_option, name);
  FIELD(loom_option, type);
  FIELD(loom_option, fallback);
  FIELD(loom_option, choices);
  FIELD(loom_option, help);
  STRUCT(loom_backend);
  FIELD(loom_backend, size);
  FIELD(loom_backend, id);
  FIELD(loom_backend, version);
  FIELD(loom_backend, summary);
  FIELD(loom_backend, options);
  FIELD(loom_backend, option_count);
  FIELD(loom_backend, requires);
  FIELD(loom_backend, require_count);
  FIELD(loom_backend, create);
  FIELD(loom_backend, emit);
  FIELD(loom_backend, destroy);
  FIELD(loom_backend, get_extension);
  STRUCT(loom_plugin);
  FIELD(loom_plugin, size);
  FIELD(loom_plugin, abi_major);
  FIELD(loom_plugin, abi_minor);
  FIELD(loom_plugin, machine);
  FIELD(loom_plugin, backend_count);
  FIELD(loom_plugin, backends);
  FIELD(loom_plugin, frontend_count);
  FIELD(loom_plugin, frontends);
}

/* And a front end. */
static void a_frontend(void) {
  STRUCT(loom_kernel_file);
  FIELD(loom_kernel_file, size);
  FIELD(loom_kernel_file, name);
  FIELD(loom_kernel_file, text);
  FIELD(loom_kernel_file, bytes);
  FIELD(loom_kernel_file, function);
  STRUCT(loom_frontend);
  FIELD(loom_frontend, size);
  FIELD(loom_frontend, id);
  FIELD(loom_frontend, version);
  FIELD(loom_frontend, summary);
  FIELD(loom_frontend, endings);
  FIELD(loom_frontend, ending_count);
  FIELD(loom_frontend, options);
  FIELD(loom_frontend, option_count);
  FIELD(loom_frontend, read);
  STRUCT(loom_places);
  FIELD(loom_places, size);
  FIELD(loom_places, diag);
}

/* loom.dfg/1. */
static void a_graph(void) {
  STRUCT(loom_type);
  FIELD(loom_type, kind);
  FIELD(loom_type, bits);
  FIELD(loom_type, tag_bits);
  FIELD(loom_type, text);
  FIELD(loom_type, elements);
  FIELD(loom_type, element_count);
  STRUCT(loom_node);
  FIELD(loom_node, op);
  FIELD(loom_node, op_name);
  FIELD(loom_node, name);
  FIELD(loom_node, where);
  FIELD(loom_node, operands);
  FIELD(loom_node, operand_count);
  FIELD(loom_node, first_result);
  FIELD(loom_node, result_count);
  FIELD(loom_node, literal);
  FIELD(loom_node, memory);
  FIELD(loom_node, port);
  FIELD(loom_node, argument);
  FIELD(loom_node, access);
  FIELD(loom_node, predicate);
  FIELD(loom_node, step_op);
  FIELD(loom_node, cont_cond);
  FIELD(loom_node, slots);
  FIELD(loom_node, initial);
  FIELD(loom_node, initial_count);
  STRUCT(loom_result);
  FIELD(loom_result, name);
  FIELD(loom_result, node);
  FIELD(loom_result, type);
  FIELD(loom_result, first_edge);
  FIELD(loom_result, edge_count);
  STRUCT(loom_edge);
  FIELD(loom_edge, name);
  FIELD(loom_edge, result);
  FIELD(loom_edge, from);
  FIELD(loom_edge, to);
  FIELD(loom_edge, operand);
  FIELD(loom_edge, is_back);
  STRUCT(loom_argument);
  FIELD(loom_argument, name);
  FIELD(loom_argument, role);
  FIELD(loom_argument, node);
  FIELD(loom_argument, type);
  FIELD(loom_argument, of);
  FIELD(loom_argument, dimension);
  STRUCT(loom_memory);
  FIELD(loom_memory, name);
  FIELD(loom_memory, node);
  FIELD(loom_memory, argument);
  FIELD(loom_memory, element);
  FIELD(loom_memory, elements);
  FIELD(loom_memory, is_dynamic);
  FIELD(loom_memory, extents);
  FIELD(loom_memory, rank);
  FIELD(loom_memory, store_count);
  FIELD(loom_memory, load_count);
  FIELD(loom_memory, ports);
  FIELD(loom_memory, address_count);
  FIELD(loom_memory, initial);
  FIELD(loom_memory, initial_count);
  FIELD(loom_memory, strides);
  FIELD(loom_memory, offset);
  FIELD(loom_memory, alias_group);
  STRUCT(loom_dfg);
  FIELD(loom_dfg, size);
  FIELD(loom_dfg, name);
  FIELD(loom_dfg, op_id);
  FIELD(loom_dfg, node_count);
  FIELD(loom_dfg, result_count);
  FIELD(loom_dfg, edge_count);
  FIELD(loom_dfg, type_count);
  FIELD(loom_dfg, argument_count);
  FIELD(loom_dfg, output_count);
  FIELD(loom_dfg, memory_count);
  FIELD(loom_dfg, node);
  FIELD(loom_dfg, result);
  FIELD(loom_dfg, edge);
  FIELD(loom_dfg, type);
  FIELD(loom_dfg, argument);
  FIELD(loom_dfg, memory);
  FIELD(loom_dfg, output_name);
  FIELD(loom_dfg, return_node);
  FIELD(loom_dfg, order);
  FIELD(loom_dfg, is_determinate);
}

/* loom.domains/1. */
static void what_is_proved(void) {
  STRUCT(loom_domain);
  FIELD(loom_domain, kind);
  FIELD(loom_domain, condition);
  FIELD(loom_domain, parent);
  STRUCT(loom_domains);
  FIELD(loom_domains, size);
  FIELD(loom_domains, domain_count);
  FIELD(loom_domains, domain);
  FIELD(loom_domains, of_result);
}

/* loom.c/1. */
static void operations_as_c(void) {
  STRUCT(loom_c);
  FIELD(loom_c, size);
  FIELD(loom_c, type_name);
  FIELD(loom_c, is_pure);
  FIELD(loom_c, expression);
  FIELD(loom_c, may_trap);
  FIELD(loom_c, is_loose_nan);
  FIELD(loom_c, canonical);
  FIELD(loom_c, to_bits);
  FIELD(loom_c, from_bits);
  FIELD(loom_c, prelude);
  FIELD(loom_c, in_bulk);
  FIELD(loom_c, range);
}

/* loom.histories/1. */
static void what_a_run_did(void) {
  STRUCT(loom_visitor);
  FIELD(loom_visitor, size);
  FIELD(loom_visitor, user);
  FIELD(loom_visitor, firing);
  FIELD(loom_visitor, token);
  STRUCT(loom_call);
  FIELD(loom_call, size);
  FIELD(loom_call, name);
  FIELD(loom_call, declaration);
  FIELD(loom_call, before);
  FIELD(loom_call, parameter);
  FIELD(loom_call, out_parameter);
  FIELD(loom_call, type);
  FIELD(loom_call, out_type);
  STRUCT(loom_histories);
  FIELD(loom_histories, size);
  FIELD(loom_histories, replay);
  FIELD(loom_histories, count);
  FIELD(loom_histories, hash);
}

/* loom_machine.h: loom.machine/1, loom.binding/1, loom.cycles/1. */
static void machines(void) {
  STRUCT(loom_operation);
  FIELD(loom_operation, kind);
  FIELD(loom_operation, node);
  FIELD(loom_operation, operands);
  FIELD(loom_operation, operand_count);
  FIELD(loom_operation, result_count);
  FIELD(loom_operation, literal);
  STRUCT(loom_unit);
  FIELD(loom_unit, kind);
  FIELD(loom_unit, name);
  FIELD(loom_unit, first_input);
  FIELD(loom_unit, input_count);
  FIELD(loom_unit, first_output);
  FIELD(loom_unit, output_count);
  FIELD(loom_unit, latency);
  FIELD(loom_unit, interval);
  FIELD(loom_unit, first_operation);
  FIELD(loom_unit, operation_count);
  FIELD(loom_unit, yields);
  FIELD(loom_unit, width);
  FIELD(loom_unit, step_op);
  FIELD(loom_unit, cont_cond);
  FIELD(loom_unit, region);
  FIELD(loom_unit, issue_group);
  FIELD(loom_unit, node);
  FIELD(loom_unit, places);
  FIELD(loom_unit, choice_inputs);
  FIELD(loom_unit, choice_operations);
  FIELD(loom_unit, selector);
  FIELD(loom_unit, sides);
  FIELD(loom_unit, hardware);
  FIELD(loom_unit, channel);
  FIELD(loom_unit, early_out);
  FIELD(loom_unit, loop_end);
  FIELD(loom_unit, offset);
  FIELD(loom_unit, size_log2);
  FIELD(loom_unit, exponent_bits);
  STRUCT(loom_move);
  FIELD(loom_move, from);
  FIELD(loom_move, to);
  FIELD(loom_move, bits);
  STRUCT(loom_unit_input);
  FIELD(loom_unit_input, unit);
  FIELD(loom_unit_input, index);
  FIELD(loom_unit_input, output);
  FIELD(loom_unit_input, mask);
  FIELD(loom_unit_input, arbiters);
  FIELD(loom_unit_input, arbiter_count);
  FIELD(loom_unit_input, arbiter_members);
  FIELD(loom_unit_input, moves);
  FIELD(loom_unit_input, move_count);
  FIELD(loom_unit_input, pool_places);
  FIELD(loom_unit_input, pool);
  FIELD(loom_unit_input, pool_rank);
  FIELD(loom_unit_input, side);
  STRUCT(loom_unit_output);
  FIELD(loom_unit_output, unit);
  FIELD(loom_unit_output, index);
  FIELD(loom_unit_output, inputs);
  FIELD(loom_unit_output, input_count);
  FIELD(loom_unit_output, bits);
  STRUCT(loom_arbiter);
  FIELD(loom_arbiter, name);
  FIELD(loom_arbiter, members);
  FIELD(loom_arbiter, member_count);
  STRUCT(loom_settle);
  FIELD(loom_settle, is_arbiter);
  FIELD(loom_settle, id);
  STRUCT(loom_machine);
  FIELD(loom_machine, size);
  FIELD(loom_machine, unit_count);
  FIELD(loom_machine, input_count);
  FIELD(loom_machine, output_count);
  FIELD(loom_machine, arbiter_count);
  FIELD(loom_machine, operation_count);
  FIELD(loom_machine, issue_group_count);
  FIELD(loom_machine, region_count);
  FIELD(loom_machine, settle_count);
  FIELD(loom_machine, unit);
  FIELD(loom_machine, operation);
  FIELD(loom_machine, input);
  FIELD(loom_machine, output);
  FIELD(loom_machine, arbiter);
  FIELD(loom_machine, settle);
  FIELD(loom_machine, element_bits);
  FIELD(loom_machine, request_channel_count);
  FIELD(loom_machine, request_channel);
  STRUCT(loom_request_channel);
  FIELD(loom_request_channel, first_unit);
  FIELD(loom_request_channel, unit_count);
  FIELD(loom_request_channel, number);
  FIELD(loom_request_channel, is_external);
  FIELD(loom_request_channel, bank_count);
  FIELD(loom_request_channel, word_log2);
  STRUCT(loom_binding);
  FIELD(loom_binding, size);
  FIELD(loom_binding, graph);
  FIELD(loom_binding, argument);
  FIELD(loom_binding, output);
  FIELD(loom_binding, region);
  FIELD(loom_binding, elements);
  FIELD(loom_binding, edge);
  FIELD(loom_binding, domains);
  STRUCT(loom_machine_visitor);
  FIELD(loom_machine_visitor, size);
  FIELD(loom_machine_visitor, user);
  FIELD(loom_machine_visitor, transfer);
  FIELD(loom_machine_visitor, firing);
  FIELD(loom_machine_visitor, use);
  FIELD(loom_machine_visitor, stall);
  STRUCT(loom_cycles);
  FIELD(loom_cycles, size);
  FIELD(loom_cycles, replay);
  FIELD(loom_cycles, input_name);
}

/* loom_fabric.h: loom.fabric/1, loom.image/1. */
static void fabrics(void) {
  STRUCT(loom_component);
  FIELD(loom_component, kind);
  FIELD(loom_component, name);
  FIELD(loom_component, definition);
  FIELD(loom_component, first_port);
  FIELD(loom_component, input_count);
  FIELD(loom_component, output_count);
  FIELD(loom_component, first_unit);
  FIELD(loom_component, unit_count);
  FIELD(loom_component, operand_count);
  FIELD(loom_component, result_count);
  FIELD(loom_component, register_count);
  FIELD(loom_component, instruction_count);
  FIELD(loom_component, register_depth);
  FIELD(loom_component, operand_buffer);
  FIELD(loom_component, rows);
  FIELD(loom_component, lane_bits);
  FIELD(loom_component, slot_count);
  FIELD(loom_component, depth);
  FIELD(loom_component, is_bypassable);
  FIELD(loom_component, entry_count);
  FIELD(loom_component, load_count);
  FIELD(loom_component, store_count);
  FIELD(loom_component, queue_depth);
  FIELD(loom_component, region_count);
  FIELD(loom_component, ports);
  FIELD(loom_component, element_bits);
  FIELD(loom_component, elements);
  FIELD(loom_component, latency);
  FIELD(loom_component, argument);
  FIELD(loom_component, places);
  FIELD(loom_component, is_private);
  FIELD(loom_component, channel_count);
  STRUCT(loom_port);
  FIELD(loom_port, component);
  FIELD(loom_port, index);
  FIELD(loom_port, is_output);
  FIELD(loom_port, width);
  FIELD(loom_port, is_tagged);
  FIELD(loom_port, tag_width);
  FIELD(loom_port, peers);
  FIELD(loom_port, peer_count);
  STRUCT(loom_function_unit);
  FIELD(loom_function_unit, name);
  FIELD(loom_function_unit, component);
  FIELD(loom_function_unit, opcode);
  FIELD(loom_function_unit, body);
  FIELD(loom_function_unit, data_path);
  STRUCT(loom_body_value);
  FIELD(loom_body_value, kind);
  FIELD(loom_body_value, bits);
  STRUCT(loom_body);
  FIELD(loom_body, name);
  FIELD(loom_body, latency);
  FIELD(loom_body, interval);
  FIELD(loom_body, argument_count);
  FIELD(loom_body, result_count);
  FIELD(loom_body, value_count);
  FIELD(loom_body, node_count);
  FIELD(loom_body, values);
  FIELD(loom_body, yields);
  FIELD(loom_body, early_out);
  STRUCT(loom_body_node);
  FIELD(loom_body_node, op_name);
  FIELD(loom_body_node, operands);
  FIELD(loom_body_node, operand_count);
  FIELD(loom_body_node, first_result);
  FIELD(loom_body_node, result_count);
  FIELD(loom_body_node, step_op);
  FIELD(loom_body_node, literal);
  FIELD(loom_body_node, is_pure);
  FIELD(loom_body_node, levels);
  FIELD(loom_body_node, shared);
  FIELD(loom_body_node, shared_index);
  FIELD(loom_body_node, shared_stages);
  STRUCT(loom_fabric);
  FIELD(loom_fabric, size);
  FIELD(loom_fabric, name);
  FIELD(loom_fabric, component_count);
  FIELD(loom_fabric, port_count);
  FIELD(loom_fabric, unit_count);
  FIELD(loom_fabric, body_count);
  FIELD(loom_fabric, component);
  FIELD(loom_fabric, port);
  FIELD(loom_fabric, unit);
  FIELD(loom_fabric, body);
  FIELD(loom_fabric, node);
  FIELD(loom_fabric, parameter);
  STRUCT(loom_field);
  FIELD(loom_field, kind);
  FIELD(loom_field, item);
  FIELD(loom_field, a);
  FIELD(loom_field, b);
  FIELD(loom_field, a_lane);
  FIELD(loom_field, b_lane);
  STRUCT(loom_image);
  FIELD(loom_image, size);
  FIELD(loom_image, word_count);
  FIELD(loom_image, words);
  FIELD(loom_image, slice);
  FIELD(loom_image, field);
}

/* loom_replay.h: loom.replay/1. */
static void replays(void) {
  STRUCT(loom_channel);
  FIELD(loom_channel, kind);
  FIELD(loom_channel, component);
  FIELD(loom_channel, a);
  FIELD(loom_channel, b);
  FIELD(loom_channel, name);
  FIELD(loom_channel, count);
  FIELD(loom_channel, hash);
  STRUCT(loom_contents);
  FIELD(loom_contents, component);
  FIELD(loom_contents, region);
  FIELD(loom_contents, before);
  FIELD(loom_contents, after);
  FIELD(loom_contents, elements);
  FIELD(loom_contents, element_bits);
  STRUCT(loom_replay);
  FIELD(loom_replay, size);
  FIELD(loom_replay, cycles);
  FIELD(loom_replay, channel_count);
  FIELD(loom_replay, contents_count);
  FIELD(loom_replay, channel);
  FIELD(loom_replay, contents);
  FIELD(loom_replay, tokens);
  FIELD(loom_replay, error);
  FIELD(loom_replay, stands_still);
  FIELD(loom_replay, owed);
  FIELD(loom_replay, input_tag);
  FIELD(loom_replay, memory);
}

/* What enumerators count as, of loom_plugin.h and of the others. */
static void numbers(void) {
  NUMBER(LOOM_OK);
  NUMBER(LOOM_ERROR);
  NUMBER(LOOM_UNSUPPORTED);
  NUMBER(LOOM_NOTE);
  NUMBER(LOOM_WARNING);
  NUMBER(LOOM_FAILURE);
  NUMBER(LOOM_FLAG);
  NUMBER(LOOM_INT);
  NUMBER(LOOM_TEXT);
  NUMBER(LOOM_CHOICE);
  NUMBER(LOOM_NO_DATA);
  NUMBER(LOOM_INDEX);
  NUMBER(LOOM_INTEGER);
  NUMBER(LOOM_IEEE);
  NUMBER(LOOM_BF16);
  NUMBER(LOOM_TUPLE);
  NUMBER(LOOM_VALUE);
  NUMBER(LOOM_MEMREF);
  NUMBER(LOOM_EXTENT);
  NUMBER(LOOM_CONTROL);
  NUMBER(LOOM_ONCE);
  NUMBER(LOOM_BURST);
  NUMBER(LOOM_TRUE);
  NUMBER(LOOM_FALSE);
}

static void numbers_of_hardware(void) {
  NUMBER(LOOM_UNIT_INPUT);
  NUMBER(LOOM_UNIT_OUTPUT);
  NUMBER(LOOM_UNIT_DRAIN);
  NUMBER(LOOM_UNIT_FIRE);
  NUMBER(LOOM_UNIT_MUX);
  NUMBER(LOOM_UNIT_STREAM);
  NUMBER(LOOM_UNIT_GATE);
  NUMBER(LOOM_UNIT_CARRY);
  NUMBER(LOOM_UNIT_INVARIANT);
  NUMBER(LOOM_UNIT_FIFO);
  NUMBER(LOOM_UNIT_LOAD);
  NUMBER(LOOM_UNIT_STORE);
  NUMBER(LOOM_COMPUTE);
  NUMBER(LOOM_LITERAL);
  NUMBER(LOOM_BRANCH);
  NUMBER(LOOM_CHOOSE);
  NUMBER(LOOM_NOTHING);
  NUMBER(LOOM_REQUEST);
  NUMBER(LOOM_CARRIED);
  NUMBER(LOOM_FABRIC_INPUT);
  NUMBER(LOOM_FABRIC_OUTPUT);
  NUMBER(LOOM_SPATIAL_PE);
  NUMBER(LOOM_TEMPORAL_PE);
  NUMBER(LOOM_SPATIAL_SW);
  NUMBER(LOOM_TEMPORAL_SW);
  NUMBER(LOOM_FIFO);
  NUMBER(LOOM_ADD_TAG);
  NUMBER(LOOM_MAP_TAG);
  NUMBER(LOOM_DEL_TAG);
  NUMBER(LOOM_MEMORY);
  NUMBER(LOOM_EXTMEMORY);
  NUMBER(LOOM_LOAD_ADDRESS);
  NUMBER(LOOM_STORE_ADDRESS);
  NUMBER(LOOM_STORE_DATA);
  NUMBER(LOOM_LOAD_DATA);
  NUMBER(LOOM_LOAD_DONE);
  NUMBER(LOOM_STORE_DONE);
  NUMBER(LOOM_FIELD_VALID);
  NUMBER(LOOM_FIELD_TAG);
  NUMBER(LOOM_FIELD_PAIR);
  NUMBER(LOOM_FIELD_DISCARD);
  NUMBER(LOOM_FIELD_DST_TAG);
  NUMBER(LOOM_FIELD_BYPASSED);
  NUMBER(LOOM_FIELD_START);
  NUMBER(LOOM_FIELD_END);
  NUMBER(LOOM_FIELD_OFFSET);
  NUMBER(LOOM_FIELD_SIZE_LOG2);
  NUMBER(LOOM_FIELD_OPCODE);
  NUMBER(LOOM_FIELD_OPERAND_REGISTER);
  NUMBER(LOOM_FIELD_OPERAND_IS_REGISTER);
  NUMBER(LOOM_FIELD_MUX_SELECT);
  NUMBER(LOOM_FIELD_MUX_DISCARD);
  NUMBER(LOOM_FIELD_MUX_DISCONNECT);
  NUMBER(LOOM_FIELD_DEMUX_SELECT);
  NUMBER(LOOM_FIELD_DEMUX_DISCARD);
  NUMBER(LOOM_FIELD_DEMUX_DISCONNECT);
  NUMBER(LOOM_FIELD_RESULT_TAG);
  NUMBER(LOOM_FIELD_RESULT_REGISTER);
  NUMBER(LOOM_FIELD_RESULT_IS_REGISTER);
  NUMBER(LOOM_FIELD_NODE_SELECT);
  NUMBER(LOOM_FIELD_NODE_DISCARD);
  NUMBER(LOOM_FIELD_NODE_DISCONNECT);
  NUMBER(LOOM_FIELD_NODE_LITERAL);
  NUMBER(LOOM_FIELD_NODE_JOIN);
  NUMBER(LOOM_FIELD_NODE_PREDICATE);
  NUMBER(LOOM_FIELD_NODE_CONDITION);
  NUMBER(LOOM_WAIT_BUSY);
  NUMBER(LOOM_WAIT_MEMORY);
  NUMBER(LOOM_WAIT_STARVED);
  NUMBER(LOOM_WAIT_BLOCKED);
  NUMBER(LOOM_CHANNEL_OPERAND);
  NUMBER(LOOM_CHANNEL_LANE);
  NUMBER(LOOM_CHANNEL_FIFO);
  NUMBER(LOOM_CHANNEL_REGISTER);
  NUMBER(LOOM_CHANNEL_OUTPUT);
  NUMBER(LOOM_CHANNEL_DRAIN);
}

/* loom_show.h. */
static void shows(void) {
  STRUCT(loom_source_file);
  FIELD(loom_source_file, name);
  FIELD(loom_source_file, text);
  FIELD(loom_source_file, length);
  STRUCT(loom_source_place);
  FIELD(loom_source_place, file);
  FIELD(loom_source_place, line);
  FIELD(loom_source_place, column);
  STRUCT(loom_source);
  FIELD(loom_source, size);
  FIELD(loom_source, file_count);
  FIELD(loom_source, file);
  FIELD(loom_source, place);
  STRUCT(loom_box);
  FIELD(loom_box, x);
  FIELD(loom_box, y);
  FIELD(loom_box, width);
  FIELD(loom_box, height);
  STRUCT(loom_drawing);
  FIELD(loom_drawing, size);
  FIELD(loom_drawing, is_given);
  FIELD(loom_drawing, box);
  STRUCT(loom_route);
  FIELD(loom_route, input);
  FIELD(loom_route, edge);
  FIELD(loom_route, ports);
  FIELD(loom_route, tags);
  FIELD(loom_route, port_count);
  FIELD(loom_route, first);
  STRUCT(loom_routes);
  FIELD(loom_routes, size);
  FIELD(loom_routes, route_count);
  FIELD(loom_routes, route);
  STRUCT(loom_mapping);
  FIELD(loom_mapping, size);
  FIELD(loom_mapping, json);
  STRUCT(loom_loop);
  FIELD(loom_loop, unit);
  FIELD(loom_loop, entries);
  FIELD(loom_loop, iterations);
  FIELD(loom_loop, gaps);
  FIELD(loom_loop, gap_cycles);
  FIELD(loom_loop, bound);
  FIELD(loom_loop, expected_cycles);
  FIELD(loom_loop, expected_iterations);
  FIELD(loom_loop, about);
  STRUCT(loom_wait_for);
  FIELD(loom_wait_for, kind);
  FIELD(loom_wait_for, unit);
  FIELD(loom_wait_for, input);
  STRUCT(loom_outcome);
  FIELD(loom_outcome, size);
  FIELD(loom_outcome, end);
  FIELD(loom_outcome, cycles);
  FIELD(loom_outcome, text);
  FIELD(loom_outcome, loop_count);
  FIELD(loom_outcome, wait_count);
  FIELD(loom_outcome, loop);
  FIELD(loom_outcome, wait);
  FIELD(loom_outcome, is_circular);
  FIELD(loom_outcome, firings);
  STRUCT(loom_initial);
  FIELD(loom_initial, size);
  FIELD(loom_initial, memory);
  NUMBER(LOOM_END_GOOD);
  NUMBER(LOOM_END_LEFTOVER);
  NUMBER(LOOM_END_DEADLOCK);
  NUMBER(LOOM_END_TRAP);
  NUMBER(LOOM_END_LIMIT);
  NUMBER(LOOM_AWAITS_OPERAND);
  NUMBER(LOOM_AWAITS_SPACE);
  NUMBER(LOOM_AWAITS_ENDED_INPUT);
}

int main(void) {
  a_backend();
  a_frontend();
  a_graph();
  what_is_proved();
  operations_as_c();
  what_a_run_did();
  numbers();
  machines();
  fabrics();
  replays();
  numbers_of_hardware();
  shows();
  return 0;
}
