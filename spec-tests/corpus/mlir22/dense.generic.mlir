"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "d"}> ({
    %0 = "arith.constant"() <{value = dense<189963082> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "arith.constant"() <{value = dense<[446333181, 1449418665]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "arith.constant"() <{value = dense<[-1141039821, -101562192, -1500591035, 579222143, 99562544, 1036168857, -1872470703, 391269738]> : tensor<8xi32>}> : () -> tensor<8xi32>
    %3 = "arith.constant"() <{value = dense<[1569927520, 1626988600, 1808605022, 1870830728, 1627219933, -1728920548, -1563501829, -1215531812, -854585969, 365390516, 361858708, 1736033392, 1842307337, 1530728784, 1548926410, 296814478]> : tensor<16xi32>}> : () -> tensor<16xi32>
    %4 = "arith.constant"() <{value = dense<616560390> : vector<3xi32>}> : () -> vector<3xi32>
    %5 = "arith.constant"() <{value = dense<> : tensor<0xi32>}> : () -> tensor<0xi32>
    %6 = "arith.constant"() <{value = dense<[[-1309591077, 1806931666, 1409507921], [-789431346, -984030365, 1932364597]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %7 = "arith.constant"() <{value = dense<34> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "arith.constant"() <{value = dense<[34, 72]> : tensor<2xi8>}> : () -> tensor<2xi8>
    %9 = "arith.constant"() <{value = dense<[16, -110, -61, 85, 0, 83, -88, 125]> : tensor<8xi8>}> : () -> tensor<8xi8>
    %10 = "arith.constant"() <{value = dense<[-11, -26, -88, -70, -65, -126, 16, -93, 92, 9, 119, 108, 9, 20, -104, -39]> : tensor<16xi8>}> : () -> tensor<16xi8>
    %11 = "arith.constant"() <{value = dense<"0xF325E748AD9A8DFAABDCF6704A113069F4E7182FC43A3521E8649E5D1FE37CEEDEB569BD4BEC21DF93277FFE449DF94D3B47F2DA110030069B2EB8EAF01B62D8D6FD77EBEE3AF6D94959DA1A623F9CA86A7A89DA09567DF14778314F77DBBA562DC924B732"> : tensor<101xi8>}> : () -> tensor<101xi8>
    %12 = "arith.constant"() <{value = dense<"0xCB1874CD643F7C9531E7AF1B1325521585583358753DDCFF17E045B825D22378D8496EE4513BB69C76E7D4D5BDB3BC46214B0CA1750D20F505BCECB8743E5ECB063DDF07E6F2FE04312FB6B2C5AAF36A2ABA27C8D4957B09C43E615B5A5C03170B46CE9790D75C80ECC3EA3E039637E7BCD1EFA5785B13CCBB2CD204C6ACA8C6B083"> : tensor<130xi8>}> : () -> tensor<130xi8>
    %13 = "arith.constant"() <{value = dense<-86> : vector<3xi8>}> : () -> vector<3xi8>
    %14 = "arith.constant"() <{value = dense<> : tensor<0xi8>}> : () -> tensor<0xi8>
    %15 = "arith.constant"() <{value = dense<[[72, 105, 98], [6, -38, -127]]> : tensor<2x3xi8>}> : () -> tensor<2x3xi8>
    %16 = "arith.constant"() <{value = dense<true> : tensor<1xi1>}> : () -> tensor<1xi1>
    %17 = "arith.constant"() <{value = dense<false> : tensor<2xi1>}> : () -> tensor<2xi1>
    %18 = "arith.constant"() <{value = dense<[true, true, true, false, false, false, true, true]> : tensor<8xi1>}> : () -> tensor<8xi1>
    %19 = "arith.constant"() <{value = dense<[true, false, true, false, false, true, false, false, true, true, false, true, true, true, false, false]> : tensor<16xi1>}> : () -> tensor<16xi1>
    %20 = "arith.constant"() <{value = dense<"0x5146CF16D12108F5691BF97507"> : tensor<101xi1>}> : () -> tensor<101xi1>
    %21 = "arith.constant"() <{value = dense<"0xBC902364B084C67A3924785DEB8AC8F002"> : tensor<130xi1>}> : () -> tensor<130xi1>
    %22 = "arith.constant"() <{value = dense<false> : vector<3xi1>}> : () -> vector<3xi1>
    %23 = "arith.constant"() <{value = dense<> : tensor<0xi1>}> : () -> tensor<0xi1>
    %24 = "arith.constant"() <{value = dense<[[false, true, true], [false, true, false]]> : tensor<2x3xi1>}> : () -> tensor<2x3xi1>
    %25 = "arith.constant"() <{value = dense<0.941800534> : tensor<1xf32>}> : () -> tensor<1xf32>
    %26 = "arith.constant"() <{value = dense<[0.183697075, 0.907568454]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %27 = "arith.constant"() <{value = dense<[0.348201424, 0.413203925, 0.0204734504, 0.234031558, 0.598330379, 0.96866095, 0.232702926, 0.95081675]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "arith.constant"() <{value = dense<[0.383229971, 0.694019675, 0.287860453, 0.159051612, 0.363420546, 0.736433327, 0.244814008, 1.571220e-01, 0.263073891, 0.137435332, 0.872665047, 0.979796767, 0.759245753, 0.529092789, 0.822732567, 0.442541033]> : tensor<16xf32>}> : () -> tensor<16xf32>
    %29 = "arith.constant"() <{value = dense<0.845488667> : vector<3xf32>}> : () -> vector<3xf32>
    %30 = "arith.constant"() <{value = dense<> : tensor<0xf32>}> : () -> tensor<0xf32>
    %31 = "arith.constant"() <{value = dense<[[0.515242398, 0.48790881, 0.258904219], [0.321168333, 0.208874255, 0.399336487]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %32 = "arith.constant"() <{value = dense<-13235.9701> : tensor<1xf64>}> : () -> tensor<1xf64>
    %33 = "arith.constant"() <{value = dense<[-214231.56899999999, 77509.815700000006]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %34 = "arith.constant"() <{value = dense<[71514.619999999995, 58321.297599999998, -235883.674, -10334.964599999999, -58283.3848, -74162.843900000007, -2772.7715600000001, -50370.847900000001]> : tensor<8xf64>}> : () -> tensor<8xf64>
    %35 = "arith.constant"() <{value = dense<[92989.130600000004, 97794.741399999999, -21187.235100000002, 188246.62599999999, 12606.2603, -76718.831999999995, -27636.132900000001, 55785.241999999998, -17496.825099999998, 9826.9925000000002, -16203.447700000001, -4126.0312299999996, -61516.5429, 32689.241000000002, -132852.014, 11673.2619]> : tensor<16xf64>}> : () -> tensor<16xf64>
    %36 = "arith.constant"() <{value = dense<-19501.7955> : vector<3xf64>}> : () -> vector<3xf64>
    %37 = "arith.constant"() <{value = dense<> : tensor<0xf64>}> : () -> tensor<0xf64>
    %38 = "arith.constant"() <{value = dense<[[-49482.1158, -87877.259600000004, 15313.7281], [-38446.523300000001, 27489.3537, 48139.516199999998]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %39 = "arith.constant"() <{value = dense<3.640140e-01> : tensor<1xf16>}> : () -> tensor<1xf16>
    %40 = "arith.constant"() <{value = dense<[8.038330e-02, 9.394530e-01]> : tensor<2xf16>}> : () -> tensor<2xf16>
    %41 = "arith.constant"() <{value = dense<[1.755370e-01, 2.346190e-01, 9.902340e-01, 1.021120e-01, 8.457030e-01, 3.927610e-02, 2.022710e-01, 9.824210e-01]> : tensor<8xf16>}> : () -> tensor<8xf16>
    %42 = "arith.constant"() <{value = dense<[4.431150e-01, 7.099610e-01, 2.990720e-01, 5.991210e-01, 4.254150e-02, 2.446290e-01, 6.669920e-01, 7.138670e-01, 4.584960e-01, 7.690420e-01, 1.759030e-01, 8.510740e-01, 1.783450e-01, 1.916500e-01, 4.006350e-01, 4.272460e-01]> : tensor<16xf16>}> : () -> tensor<16xf16>
    %43 = "arith.constant"() <{value = dense<8.330080e-01> : vector<3xf16>}> : () -> vector<3xf16>
    %44 = "arith.constant"() <{value = dense<> : tensor<0xf16>}> : () -> tensor<0xf16>
    %45 = "arith.constant"() <{value = dense<[[1.454930e-02, 6.445310e-01, 4.306640e-01], [6.225590e-01, 3.002930e-02, 6.733400e-01]]> : tensor<2x3xf16>}> : () -> tensor<2x3xf16>
    %46 = "arith.constant"() <{value = dense<4.687500e-01> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %47 = "arith.constant"() <{value = dense<[3.105470e-01, 6.396480e-02]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %48 = "arith.constant"() <{value = dense<[5.703130e-01, 5.546880e-01, 7.031250e-01, 1.708980e-01, 4.570310e-01, 4.804690e-01, 4.882810e-01, 6.640630e-01]> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %49 = "arith.constant"() <{value = dense<[1.904300e-01, 5.546880e-01, 1.191410e-01, 7.695310e-01, 7.851560e-01, 7.460930e-01, 9.179680e-01, 2.500000e-01, 2.124020e-02, 5.937500e-01, 1.972660e-01, 2.382810e-01, 4.082030e-01, 1.166990e-01, 2.402340e-01, 7.265630e-01]> : tensor<16xbf16>}> : () -> tensor<16xbf16>
    %50 = "arith.constant"() <{value = dense<9.101560e-01> : vector<3xbf16>}> : () -> vector<3xbf16>
    %51 = "arith.constant"() <{value = dense<> : tensor<0xbf16>}> : () -> tensor<0xbf16>
    %52 = "arith.constant"() <{value = dense<[[8.476560e-01, 9.960930e-01, 4.003910e-02], [8.632810e-01, 2.988280e-01, 5.507810e-01]]> : tensor<2x3xbf16>}> : () -> tensor<2x3xbf16>
    %53 = "arith.constant"() <{value = dense<2> : tensor<1xindex>}> : () -> tensor<1xindex>
    %54 = "arith.constant"() <{value = dense<[3, 6]> : tensor<2xindex>}> : () -> tensor<2xindex>
    %55 = "arith.constant"() <{value = dense<[0, 7, 9, 9, 5, 3, 6, 1]> : tensor<8xindex>}> : () -> tensor<8xindex>
    %56 = "arith.constant"() <{value = dense<[9, 6, 1, 4, 4, 3, 5, 9, 5, 0, 2, 8, 1, 5, 1, 7]> : tensor<16xindex>}> : () -> tensor<16xindex>
    %57 = "arith.constant"() <{value = dense<[7, 2, 5, 7, 4, 8, 2, 1, 2, 0, 1, 5, 5, 2, 5, 6, 6, 3, 0, 5, 7, 2, 0, 6, 2, 0, 9, 7, 5, 6, 8, 0, 8, 9, 3, 7, 7, 3, 1, 1, 0, 3, 2, 5, 4, 3, 4, 9, 5, 9, 5, 9, 6, 2, 9, 4, 3, 0, 6, 0, 1, 0, 3, 4, 3, 9, 9, 3, 5, 1, 7, 0, 0, 0, 5, 2, 5, 2, 3, 8, 5, 2, 2, 2, 9, 4, 4, 8, 4, 0, 3, 4, 2, 5, 4, 0, 3, 1, 2]> : tensor<99xindex>}> : () -> tensor<99xindex>
    %58 = "arith.constant"() <{value = dense<[6, 7, 6, 0, 8, 6, 3, 5, 0, 2, 4, 6, 4, 4, 8, 4, 9, 8, 5, 8, 9, 9, 7, 4, 1, 1, 2, 9, 5, 3, 5, 9, 0, 6, 3, 2, 2, 1, 4, 3, 5, 4, 5, 3, 9, 3, 9, 0, 9, 0, 8, 9, 5, 8, 8, 6, 1, 6, 3, 1, 8, 0, 8, 4, 8, 2, 6, 0, 7, 1, 5, 9, 8, 0, 2, 0, 6, 9, 0, 6, 3, 3, 7, 2, 7, 7, 0, 7, 3, 1, 6, 2, 6, 5, 6, 0, 4, 5, 3, 6]> : tensor<100xindex>}> : () -> tensor<100xindex>
    %59 = "arith.constant"() <{value = dense<3> : vector<3xindex>}> : () -> vector<3xindex>
    %60 = "arith.constant"() <{value = dense<> : tensor<0xindex>}> : () -> tensor<0xindex>
    %61 = "arith.constant"() <{value = dense<[[0, 0, 3], [4, 8, 9]]> : tensor<2x3xindex>}> : () -> tensor<2x3xindex>
    %62 = "arith.constant"() <{value = dense<-2510232060595410518> : tensor<1xi64>}> : () -> tensor<1xi64>
    %63 = "arith.constant"() <{value = dense<[5699144593977151617, 7371658811458631667]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %64 = "arith.constant"() <{value = dense<[-8719939708080795146, 134981047281443168, -7187919688336162862, -7519774421844367707, -8885130155943981910, 5515174284377439122, 4560693769908274036, 222163855576449434]> : tensor<8xi64>}> : () -> tensor<8xi64>
    %65 = "arith.constant"() <{value = dense<2703381208137996828> : vector<3xi64>}> : () -> vector<3xi64>
    %66 = "arith.constant"() <{value = dense<> : tensor<0xi64>}> : () -> tensor<0xi64>
    %67 = "arith.constant"() <{value = dense<[[-4532087834363437863, -5775454940984114431, -7609992406863354131], [121524718796826316, 8662932141976600948, 4433853003613228138]]> : tensor<2x3xi64>}> : () -> tensor<2x3xi64>
    %68 = "arith.constant"() <{value = dense<46698> : tensor<1xi17>}> : () -> tensor<1xi17>
    %69 = "arith.constant"() <{value = dense<[-18173, 22307]> : tensor<2xi17>}> : () -> tensor<2xi17>
    %70 = "arith.constant"() <{value = dense<[-663, -46740, -60509, -45773, 13076, 11444, -64598, -63784]> : tensor<8xi17>}> : () -> tensor<8xi17>
    %71 = "arith.constant"() <{value = dense<[32993, -22076, -47293, -38104, 30645, -59311, -30984, 30151, 29515, 23546, 24941, -32647, 31384, -41240, 47800, -1805]> : tensor<16xi17>}> : () -> tensor<16xi17>
    %72 = "arith.constant"() <{value = dense<-46727> : vector<3xi17>}> : () -> vector<3xi17>
    %73 = "arith.constant"() <{value = dense<> : tensor<0xi17>}> : () -> tensor<0xi17>
    %74 = "arith.constant"() <{value = dense<[[-19854, 46244, 53443], [-54814, 5742, -3891]]> : tensor<2x3xi17>}> : () -> tensor<2x3xi17>
    %75 = "arith.constant"() <{value = dense<-4> : tensor<1xi3>}> : () -> tensor<1xi3>
    %76 = "arith.constant"() <{value = dense<[1, -2]> : tensor<2xi3>}> : () -> tensor<2xi3>
    %77 = "arith.constant"() <{value = dense<[-3, 1, -1, -4, 0, 3, -1, -4]> : tensor<8xi3>}> : () -> tensor<8xi3>
    %78 = "arith.constant"() <{value = dense<[-1, 2, 3, -3, -1, 0, 2, 1, 3, 3, 2, 1, -1, -3, -2, 1]> : tensor<16xi3>}> : () -> tensor<16xi3>
    %79 = "arith.constant"() <{value = dense<"0x0204050000000505010307020704060602020203070005070507000002000504020100050200020403070200040404000506050402030300040106000400030401050702010001050505020200040007030206030407000505060207000704050201000100"> : tensor<101xi3>}> : () -> tensor<101xi3>
    %80 = "arith.constant"() <{value = dense<"0x03050706040505070501020505010603000707050105050607010007030105060004050506010501030301040207030100030002050603060201060602050403070103030503030406000306060607060605070105070201030003040502010701030701070505060702020706030007000604070207070005040307050506030207"> : tensor<130xi3>}> : () -> tensor<130xi3>
    %81 = "arith.constant"() <{value = dense<1> : vector<3xi3>}> : () -> vector<3xi3>
    %82 = "arith.constant"() <{value = dense<> : tensor<0xi3>}> : () -> tensor<0xi3>
    %83 = "arith.constant"() <{value = dense<[[-3, -3, 0], [0, -4, -4]]> : tensor<2x3xi3>}> : () -> tensor<2x3xi3>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

