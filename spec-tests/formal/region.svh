// loom_region: a lane touches what is in its region and in nobody else's: the first valid region whose tags have the lane. Inside
// the fabric, whatever the host says of it, an element that is not outside ends before the memory does, and before the next region begins; a lane without
// a region has no element. An element that has room in the region is not outside. What the configuration and the host say stands still, two cycles
// before anything is asked.
// prove: loom_region LANE=1 REGIONS=2 AW=5 OW=6 BYTES=32 HOSTED=1
// prove: loom_region LANE=1 REGIONS=2 AW=5 OW=6 BYTES=32 HOSTED=0
// prove: loom_region LANE=1 REGIONS=2 AW=5 OW=6 BYTES=8 HOSTED=0
// prove: loom_region LANE=2 REGIONS=3 AW=5 OW=5 BYTES=0
// mutant: s/P'(stop - offset)/stop/
// mutant: s/stop > offset ? \(.*\) : '0;/\1;/
// mutant: s/!HOSTED || (.*)) count = 64/!HOSTED) count = 64/
// mutant: s/room < P'(count)/room > P'(count)/
// mutant: s/|(count >> P) || //
// mutant: s/\[B-1:0\] > B/[B-1:0] >= B/
// mutant: s/(behind >> B != 0 || \(.*\));/\1;/
// mutant: s/first >> B == 0 \&\& //
// mutant: s/int r = REGIONS - 1; r >= 0; r--)$/int r = 0; r < REGIONS; r++)/
// mutant: s/int r = REGIONS - 1; r >= 0; r--) if/int r = 0; r < REGIONS; r++) if/
// mutant: s/>= limit/> limit/
// mutant: s/limit <= |(count >> C)/limit <= 1'b0/
// mutant: s/|(element >> C) || //
// mutant: s/if (!is_there) count = '0;//
// mutant: s/ : P'(END)/ : '0/
// mutant: s/all\[r\*P+:P\] > begin_at/all[r*P+:P] >= begin_at/
// mutant: s/if (some\[(r+step)\*P+:P\] < some/if (some[(r+step)*P+:P] > some/
// mutant: s/(64'(element) << size_log2)/64'(element)/
  (* anyconst *) logic [REGIONS*160-1:0] p_regions;
  (* anyconst *) logic [REGIONS*64-1:0] p_elements;
  logic [1:0] p_age = '0;
  always_ff @(posedge clk) if (p_age != 2'd2) p_age <= p_age + 2'd1;
  always @* assume (regions == p_regions && elements == p_elements);
  function automatic logic p_has(input int r);
    p_has = regions[r*160] && regions[r*160+32+:32] <= LANE && LANE < regions[r*160+64+:32];
  endfunction
  logic [159:0] p_it;  // the region that is said
  logic [63:0] p_elements_of, p_begin, p_end;
  logic p_any, p_fits, p_it_has;

  always_comb begin
    p_any = 1'b0;
    for (int r = 0; r < REGIONS; r++) if (p_has(r)) p_any = 1'b1;
    p_it = '0;
    p_elements_of = '0;
    p_it_has = 1'b0;
    for (int r = 0; r < REGIONS; r++)
      if (32'(region) == r) begin
        p_it = regions[r*160+:160];
        p_elements_of = elements[r*64+:64];
        p_it_has = p_has(r);
      end
    p_begin = 64'(p_it[96+:32]) + (64'(element) << p_it[128+:4]);
    p_end = p_begin + (64'd1 << p_it[128+:4]);
    p_fits = p_any && p_end <= BYTES && (!HOSTED || 64'(element) < p_elements_of);
    for (int r = 0; r < REGIONS; r++)
      if (regions[r*160] && regions[r*160+96+:32] > p_it[96+:32] && p_end > 64'(regions[r*160+96+:32])) p_fits = 1'b0;
  end
  always @* if (p_age == 2'd2) begin
    if (p_any) begin
      of_the_lane: assert (p_it_has);
      for (int r = 0; r < REGIONS; r++) assert (r >= 32'(region) || !p_has(r));
    end else begin
      none: assert (outside);
    end
    if (p_any && HOSTED) as_the_host_says: assert (outside || 64'(element) < p_elements_of);
    if (p_any && HOSTED && BYTES == 0) all_of_them: assert (outside == (64'(element) >= p_elements_of));
    if (p_fits && BYTES != 0) not_less: assert (!outside);
    if (!outside && BYTES == 0) by_number: assert (address == OW'(element));
    if (!outside && BYTES != 0) by_byte: assert (address == OW'(p_begin));
    if (!outside && BYTES != 0) begin
      in_the_memory: assert (p_end <= BYTES);
      for (int r = 0; r < REGIONS; r++)
        if (regions[r*160] && regions[r*160+96+:32] > p_it[96+:32])
          assert (p_end <= 64'(regions[r*160+96+:32]));
    end
  end
